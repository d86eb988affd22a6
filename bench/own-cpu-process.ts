// The measuring process: loads both bundles and makes requests, one after the other.
import { type Files, loadFunctions } from './invoke.ts';
import { percentile, round } from './statistics.ts';

const LOADED = 500;
/** Until then Node compiles, in threads of its own, whose CPU counts for the call beside them. */
const WARM = 6_000;
const REQUESTS = 3_000;
const CALL = { organization: 'acme', neuron: 'hello', body: '{"input":"Hello"}' };

const invoke = await loadFunctions(JSON.parse(process.argv[2] ?? '{}') as Files);
const samples: number[] = [];
for (let number = 0; number < WARM + REQUESTS; number += 1) {
  const before = process.cpuUsage();
  await invoke(CALL, number);
  const { user, system } = process.cpuUsage(before);
  samples.push((user + system) / 1000);
}
const warm = samples.slice(WARM);
process.send?.({
  requests: warm.length,
  p50: round(percentile(warm, 0.5)),
  p99: round(percentile(warm, 0.99)),
  compilingP99: round(percentile(samples.slice(LOADED, LOADED + REQUESTS), 0.99)),
});
process.disconnect();
process.exit(0);
