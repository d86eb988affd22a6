// `npm run soak`: makes a million requests to both functions in one process. Exits 1 when its memory grows. Writes docs/proof/soak.json.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sum } from '../core/text/numbers.ts';
import { loadBundles } from './assembly.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { bundleWithMemory } from './memory/bundle.ts';
import { NEURONS, SUBJECTS } from './soak/calls.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';
import { writeProof } from './write-proof.ts';

/** Memory after some requests and a garbage collection, in bytes. */
interface Sample {
  readonly requests: number;
  readonly heapBytes: number;
  /** Buffers, which are not on the heap. */
  readonly externalBytes: number;
  readonly rssBytes: number;
}

/** A report of the process; `outcomes` counts statuses. */
export interface SoakReport {
  readonly sample: Sample;
  readonly outcomes: Readonly<Record<string, number>>;
}

const FULL_SIZE = 1_000_000;
const EVERY = 50_000;
/** After these, every cache of the functions is full and evicts entries. */
const FULL_AFTER = 300_000;
/** Samples whose mean is compared: one differs from the next by some MiB. */
const COMPARED = 5;
const MIB = 1_048_576;
/** Allowed growth: caches hold texts of other lengths then, and the stores of the soak hold up to 1,000 calls each. */
const MARGIN = { share: 0.1, bytes: 5 * MIB };

// `--requests 100000 --every 10000` tries the soak with other samples, and writes no file.
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: String(FULL_SIZE) },
    every: { type: 'string', default: String(EVERY) },
  },
});
const requests = Number(values.requests);
const every = Number(values.every);

const { bundles } = await loadBundles();
const samples: Sample[] = [];
const began = performance.now();
const { outcomes } = await withTemporaryFolder(async (folder) => {
  const program = join(import.meta.dirname, 'soak', 'process.ts');
  const files = await bundleWithMemory(folder, join(import.meta.dirname, 'soak'));
  const input = { files, requests, every: Math.min(every, requests) };
  const options = ['--expose-gc'];
  return runMeasuringProcess<SoakReport>(
    { program, input, bundles, endpoint: 'http://127.0.0.1:9', options },
    ({ sample }) => {
      samples.push(sample);
      process.stdout.write(`${render(sample)}\n`);
    },
  );
});
const seconds = Math.round((performance.now() - began) / 1_000);
process.stdout.write(`${requests} requests in ${seconds} s: ${JSON.stringify(outcomes)}\n`);

const full = samples.filter((sample) => sample.requests >= FULL_AFTER);
if (full.length < 2 * COMPARED) {
  process.stdout.write(`Too few to compare: ${2 * COMPARED} samples after ${FULL_AFTER} requests.\n`);
} else {
  const fullBytes = meanOf(full.slice(0, COMPARED));
  const grownBytes = meanOf(full.slice(-COMPARED)) - fullBytes;
  const allowedBytes = Math.round(Math.max(MARGIN.bytes, MARGIN.share * fullBytes));
  process.stdout.write(`grown by ${inMib(grownBytes)} MiB of ${inMib(allowedBytes)} that are allowed\n`);
  if (grownBytes > allowedBytes) process.exitCode = 1;
  else if (requests === FULL_SIZE && every === EVERY)
    await writeProof('soak', {
      requests,
      seconds,
      subjects: SUBJECTS,
      neurons: NEURONS,
      outcomes,
      comparedAfter: FULL_AFTER,
      fullBytes,
      grownBytes,
      allowedBytes,
      samples,
    });
}

/** The mean of heap and buffers. */
function meanOf(compared: readonly Sample[]): number {
  const sizes = compared.map(({ heapBytes, externalBytes }) => heapBytes + externalBytes);
  return Math.round(sum(sizes) / sizes.length);
}

function render(sample: Sample): string {
  const { heapBytes, externalBytes, rssBytes } = sample;
  return `${sample.requests}: heap ${inMib(heapBytes)}, buffers ${inMib(externalBytes)}, resident ${inMib(rssBytes)} MiB`;
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
