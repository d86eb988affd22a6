// `npm run soak`: a million requests through both functions in one process. Exits 1 when its memory grows. Writes docs/proof/soak.json.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadBundles } from './assembly.ts';
import { runMeasuringProcess } from './measuring-process.ts';
import { bundleWithMemory } from './memory/bundle.ts';
import { NEURONS, SUBJECTS } from './soak/calls.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';
import { writeProof } from './write-proof.ts';

/** Memory after some requests, in bytes; the garbage was collected first. */
interface Sample {
  readonly requests: number;
  readonly heapBytes: number;
  /** Of buffers, which are not on the heap. */
  readonly externalBytes: number;
  readonly rssBytes: number;
}

/** A report of the process; `outcomes` counts statuses. */
export interface SoakReport {
  readonly sample: Sample;
  readonly outcomes: Readonly<Record<string, number>>;
}

const PROVEN = 1_000_000;
const EVERY = 50_000;
/** By now every cache and memory of the functions has held as much as it may, and has begun to forget. */
const FULL_AFTER = 300_000;
/** Samples differ by some MiB from one to the next: the mean of so many is compared. */
const COMPARED = 5;
const MIB = 1_048_576;
/** What may be more than then: the memories hold texts of other lengths, and the stores of the soak up to 1,000 calls each. */
const MARGIN = { share: 0.1, bytes: 5 * MIB };

// `--requests 100000` tries the soak itself, and writes no file.
const { values } = parseArgs({ options: { requests: { type: 'string', default: String(PROVEN) } } });
const requests = Number(values.requests);

const { bundles } = await loadBundles();
const samples: Sample[] = [];
const began = performance.now();
const { outcomes } = await withTemporaryFolder(async (folder) => {
  const program = join(import.meta.dirname, 'soak', 'process.ts');
  const files = await bundleWithMemory(folder, join(import.meta.dirname, 'soak'));
  const input = { files, requests, every: Math.min(EVERY, requests) };
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
  else if (requests === PROVEN)
    await writeProof('soak', {
      ...{ requests, seconds, subjects: SUBJECTS, neurons: NEURONS, outcomes },
      ...{ comparedAfter: FULL_AFTER, fullBytes, grownBytes, allowedBytes, samples },
    });
}

/** What is compared: the heap and its buffers. */
function meanOf(compared: readonly Sample[]): number {
  const sizes = compared.map(({ heapBytes, externalBytes }) => heapBytes + externalBytes);
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
}

function render(sample: Sample): string {
  const { heapBytes, externalBytes, rssBytes } = sample;
  return `${sample.requests}: heap ${inMib(heapBytes)}, buffers ${inMib(externalBytes)}, resident ${inMib(rssBytes)} MiB`;
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
