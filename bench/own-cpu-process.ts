// The measuring process: loads both bundles and makes requests, one after the other.
import { type Files, loadFunctions } from './invoke.ts';
import { percentile, round } from './statistics.ts';

const WARM_UP = 500;
const REQUESTS = 3_000;
const CALL = { organization: 'acme', neuron: 'hello', body: '{"input":"Hello"}' };

const invoke = await loadFunctions(JSON.parse(process.argv[2] ?? '{}') as Files);
const samples: number[] = [];
for (let number = 0; number < WARM_UP + REQUESTS; number += 1) {
  const before = process.cpuUsage();
  await invoke(CALL, number);
  const { user, system } = process.cpuUsage(before);
  if (number >= WARM_UP) samples.push((user + system) / 1000);
}
process.send?.({
  requests: samples.length,
  p50: round(percentile(samples, 0.5)),
  p99: round(percentile(samples, 0.99)),
});
process.disconnect();
process.exit(0);
