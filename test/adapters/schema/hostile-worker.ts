// Validates random answers against random schemas in a thread of little memory, and says how long the slowest took.
import { parentPort, workerData } from 'node:worker_threads';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';
import { hostileAnswer, hostileSchema } from './hostile.ts';

/** Which seeds to take. */
export interface HostileTask {
  readonly firstSchema: number;
  readonly schemas: number;
  readonly answers: number;
}

/** What came of it. `slowestCpuMs` is of one validation, in `slowest` by its seeds. */
export interface HostileReport {
  readonly slowestCpuMs: number;
  readonly slowest: readonly [number, number];
  readonly fits: number;
  readonly mismatches: number;
  readonly unchecked: number;
}

const { firstSchema, schemas, answers } = workerData as HostileTask;
let slowestCpuMs = 0;
let slowest: readonly [number, number] = [0, 0];
const counts = { fits: 0, mismatches: 0, unchecked: 0 };
for (let seed = firstSchema; seed < firstSchema + schemas; seed += 1) {
  const schema = hostileSchema(seed);
  for (let answer = 0; answer < answers; answer += 1) {
    const value = hostileAnswer(seed * 1_000 + answer);
    const before = process.threadCpuUsage();
    const mismatch = findMismatch(schema, value, () => undefined);
    const { user, system } = process.threadCpuUsage(before);
    const cpuMs = (user + system) / 1_000;
    if (cpuMs > slowestCpuMs) [slowestCpuMs, slowest] = [cpuMs, [seed, seed * 1_000 + answer]];
    if (mismatch === undefined) counts.fits += 1;
    else if ('path' in mismatch) counts.mismatches += 1;
    else counts.unchecked += 1;
  }
}
parentPort?.postMessage({ slowestCpuMs, slowest, ...counts } satisfies HostileReport);
