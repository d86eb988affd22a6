// Validates random answers against random schemas in a thread of little memory, and says what the dearest of them took.
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';
import { hostileAnswer, hostileSchema } from './hostile.ts';

/** Seeds: each schema meets each answer. */
export interface HostileTask {
  readonly firstSchema: number;
  readonly schemas: number;
  readonly firstAnswer: number;
  readonly answers: number;
}

/** `maxCpuMs` is of one validation, in `slowest` by its seeds; `maxHeapMb` is the largest heap after one, everything of the thread included. */
export interface HostileReport {
  readonly maxCpuMs: number;
  readonly slowest: readonly [number, number];
  readonly maxHeapMb: number;
  readonly fits: number;
  readonly mismatches: number;
  readonly unchecked: number;
}

const { firstSchema, schemas, firstAnswer, answers } = workerData as HostileTask;
const values = Array.from({ length: answers }, (_, index) => hostileAnswer(firstAnswer + index));
let maxCpuMs = 0;
let maxHeapMb = 0;
let slowest: readonly [number, number] = [0, 0];
const counts = { fits: 0, mismatches: 0, unchecked: 0 };
for (let seed = firstSchema; seed < firstSchema + schemas; seed += 1) {
  const schema = hostileSchema(seed);
  for (const [index, value] of values.entries()) {
    const before = process.threadCpuUsage();
    const mismatch = findMismatch(schema, value, () => undefined);
    const { user, system } = process.threadCpuUsage(before);
    const cpuMs = (user + system) / 1_000;
    if (cpuMs > maxCpuMs) [maxCpuMs, slowest] = [cpuMs, [seed, firstAnswer + index]];
    maxHeapMb = Math.max(maxHeapMb, getHeapStatistics().used_heap_size / 1_048_576);
    if (mismatch === undefined) counts.fits += 1;
    else if ('path' in mismatch) counts.mismatches += 1;
    else counts.unchecked += 1;
  }
}
parentPort?.postMessage({ maxCpuMs, slowest, maxHeapMb, ...counts } satisfies HostileReport);
