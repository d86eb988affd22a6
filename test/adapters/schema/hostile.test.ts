// Random schemas and answers keep no validator busy: 250 ms of CPU and 64 MB are the most that one may take, whatever they are.
import { existsSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { writeProof } from '../../../bench/write-proof.ts';
import { sum } from '../../../core/text/numbers.ts';
import type { HostileReport, HostileTask } from './hostile-worker.ts';

const MAX_CPU_MS = 250;
const MAX_MEMORY_MB = 64;

/** With `HOSTILE_ANSWERS` (.ci/deep: 1,000) each of 1,000 schemas meets so many answers, and a proof is written. */
const LONG = process.env['HOSTILE_ANSWERS'];
const SOURCES = ['adapters/schema'];
const PROOF = 'docs/proof/hostile-schemas.json';
const TIMEOUT_MS = LONG === undefined ? 180_000 : 6 * 3_600_000;
/** In one thread, which holds them beside its schema. */
const ANSWERS_AT_ONCE = 10;

interface Measured extends Omit<HostileReport, 'slowest'> {
  readonly answers: number;
}

/** A run that was cut before its end goes on from its proof, where the validator is still the same. */
async function measuredBefore(): Promise<Measured | undefined> {
  if (LONG === undefined || !existsSync(PROOF)) return undefined;
  const { digestOfSources } = (await import(
    new URL('../../../.ci/sources.mjs', import.meta.url).href
  )) as SourcesModule;
  const proof = JSON.parse(readFileSync(PROOF, 'utf8')) as Measured & {
    readonly sources: Readonly<Record<string, string>>;
  };
  const isCurrent = SOURCES.every((path) => proof.sources[path] === digestOfSources(path));
  return isCurrent && proof.answers < Number(LONG) ? proof : undefined;
}

interface SourcesModule {
  readonly digestOfSources: (path: string) => string;
}

/** 100 schemas with 4 answers each, of 16 answers in all; or all pairs. */
const TASKS: readonly HostileTask[] =
  LONG === undefined
    ? Array.from({ length: 4 }, (_, index) => ({
        firstSchema: 25 * index,
        schemas: 25,
        firstAnswer: 4 * index,
        answers: 4,
      }))
    : Array.from({ length: Math.ceil(Number(LONG) / ANSWERS_AT_ONCE) }, (_, index) => ({
        firstSchema: 0,
        schemas: 1_000,
        firstAnswer: ANSWERS_AT_ONCE * index,
        answers: ANSWERS_AT_ONCE,
      }));

function validateAll(workerData: HostileTask): Promise<HostileReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hostile-worker.ts', import.meta.url), {
      workerData,
      // Past them the thread ends with ERR_WORKER_OUT_OF_MEMORY.
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB - 16, maxYoungGenerationSizeMb: 16 },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Of all pairs so far. */
function addUp(reports: readonly Omit<HostileReport, 'slowest'>[]) {
  const total = (kind: 'fits' | 'mismatches' | 'unchecked') => sum(reports.map((report) => report[kind]));
  return {
    kinds: { fits: total('fits'), mismatches: total('mismatches'), unchecked: total('unchecked') },
    maxCpuMs: Math.max(...reports.map((report) => report.maxCpuMs)),
    maxHeapMb: Math.max(...reports.map((report) => report.maxHeapMb)),
  };
}

it(
  'random schemas and answers take no more than their time and memory',
  async () => {
    const before = await measuredBefore();
    const reports: Omit<HostileReport, 'slowest'>[] = before === undefined ? [] : [before];
    for (const task of TASKS) {
      if (task.firstAnswer < (before?.answers ?? 0)) continue;
      const report = await validateAll(task);
      expect(report.maxCpuMs, `schema and answer ${report.slowest}`).toBeLessThan(MAX_CPU_MS);
      reports.push(report);
      if (LONG === undefined) continue;
      // After each task, so that hours are not lost: it says how many pairs it is of.
      const { kinds, ...most } = addUp(reports);
      const pairs = sum(Object.values(kinds));
      const measured = { schemas: 1_000, answers: pairs / 1_000, pairs, ...kinds, ...most };
      await writeProof('hostile-schemas', measured, SOURCES);
    }
    // They are not all alike.
    expect(Math.min(...Object.values(addUp(reports).kinds))).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
