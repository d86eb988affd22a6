// The process of the growth measurement: calls neurons spread over the tables, each with a key of its own.
import type { GrowthReport, Mode, Phase } from '../growth.ts';
import { type Files, loadFunctions } from '../invoke.ts';
import { percentile, round } from '../statistics.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';
import { identityOf } from './items.ts';

/** Neurons that are called again and again; as many keys. */
const SOME = 100;
const WARM_CALLS = { timed: 1_000, counted: 200, many: 0 };
/** Neurons that are called once; more than a function keeps settings of. */
const MANY = 4_000;

const { files, size, mode } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly files: Files;
  readonly size: number;
  readonly mode: Mode;
};

let proxy: CountingProxy | undefined;
if (mode === 'counted') {
  proxy = await startCountingProxy(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;
}
const invoke = await loadFunctions(files);
let made = 0;

const report: GrowthReport =
  mode === 'many'
    ? [await callHalf(0), await callHalf(1)]
    : [await callEach(SOME, SOME), await callEach(WARM_CALLS[mode], SOME)];
await new Promise((resolve) => process.send?.(report, resolve));
process.disconnect();
process.exit(0);

/** Calls in turn `among` neurons that lie evenly over the tables. `shift`: of a way from one to the next. */
async function callEach(calls: number, among: number, shift = 0): Promise<Phase> {
  const samples: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const number = Math.floor((((call % among) + shift) * size) / among);
    const { organization, neuron, key } = identityOf(number);
    const headers = { authorization: `Bearer ${key.key}` };
    const beganMs = performance.now();
    const outcome = await invoke({ organization, neuron, headers, body: '{"input":"Hello"}' }, made);
    samples.push(performance.now() - beganMs);
    made += 1;
    if (!outcome.startsWith('200')) throw new Error(`neuron ${number} of ${size} answered ${outcome}`);
  }
  const times = { p50: round(percentile(samples, 0.5)), p99: round(percentile(samples, 0.99)) };
  return { calls, ...times, ...(proxy === undefined ? {} : { stores: proxy.take() }) };
}

async function callHalf(half: 0 | 1): Promise<Phase> {
  const phase = await callEach(MANY / 2, MANY / 2, half / 2);
  for (const _ of [1, 2]) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { ...phase, heapBytes: heapUsed + external };
}
