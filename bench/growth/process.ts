// The process of the growth measurement: calls neurons all over the tables, each with a key of its own.
import type { GrowthReport, Phase } from '../growth.ts';
import { type Files, loadFunctions } from '../invoke.ts';
import { percentile, round } from '../statistics.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';
import { identityOf } from './items.ts';

/** Neurons that are called again and again; as many keys. */
const WARM = 100;
const WARM_CALLS = { timed: 1_000, counted: 200 };
/** Neurons that are called once; more than a function keeps settings of. */
const MANY = 4_000;

const { files, size, counts } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly files: Files;
  readonly size: number;
  readonly counts: boolean;
};

let proxy: CountingProxy | undefined;
if (counts) {
  proxy = await startCountingProxy(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;
}
const invoke = await loadFunctions(files);
let made = 0;

const first = await callEach(WARM, WARM);
const warm = await callEach(counts ? WARM_CALLS.counted : WARM_CALLS.timed, WARM);
// Where there are not many, they would be known from before.
const many = size > MANY && !counts ? [await callMany(0), await callMany(1)] : [];
await new Promise((resolve) => process.send?.({ first, warm, many } satisfies GrowthReport, resolve));
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
  return { calls, ...(proxy === undefined ? times : { stores: proxy.take() }) };
}

async function callMany(half: number): Promise<Phase> {
  const times = await callEach(MANY / 2, MANY / 2, half / 2 + 0.25);
  for (const _ of [1, 2]) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { ...times, heapBytes: heapUsed + external };
}
