// No schema and no answer keep a validator busy: 250 ms of CPU and 64 MB are the most that one may take, whatever they are.
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';
import { writeProof } from '../../../bench/write-proof.ts';
import { sum } from '../../../core/text/numbers.ts';
import type { HostileReport, HostileTask } from './hostile-worker.ts';

const MAX_CPU_MS = 250;
const MAX_MEMORY_MB = 64;

/** With `HOSTILE_ANSWERS` (.ci/deep: 1,000) each of 1,000 schemas meets so many answers, and a proof is written. */
const LONG = process.env['HOSTILE_ANSWERS'];
const TIMEOUT_MS = LONG === undefined ? 180_000 : 6 * 3_600_000;
/** In one thread, which holds them beside its schema. */
const ANSWERS_AT_ONCE = 10;

/** 250 schemas with 4 answers each, of 40 answers in all; or all pairs. */
const TASKS: readonly HostileTask[] =
  LONG === undefined
    ? Array.from({ length: 10 }, (_, index) => ({
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
function addUp(reports: readonly HostileReport[]) {
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
    const reports: HostileReport[] = [];
    for (const task of TASKS) {
      const report = await validateAll(task);
      expect(report.maxCpuMs, `schema and answer ${report.slowest}`).toBeLessThan(MAX_CPU_MS);
      reports.push(report);
      if (LONG === undefined) continue;
      // After each task, so that hours are not lost: it says how many pairs it is of.
      const { kinds, ...most } = addUp(reports);
      const pairs = sum(Object.values(kinds));
      const measured = { schemas: 1_000, answers: pairs / 1_000, pairs, ...kinds, ...most };
      await writeProof('hostile-schemas', measured, ['adapters/schema']);
    }
    // They are not all alike.
    expect(Math.min(...Object.values(addUp(reports).kinds))).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index, tags: [index] }));
const allowed = (count: number) => Object.fromEntries(rows(count).map(({ id }) => [`k${id}`, true]));
const members = (count: number) => Object.fromEntries(rows(count).map(({ id }) => [`k${id}`, id]));

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

/** Each with a schema of at most 1 MB. */
const ATTACKS: readonly (readonly [string, Readonly<Record<string, unknown>>, unknown])[] = [
  [
    'nested anyOf over a large enum: 13.7 KB that ran a function out of heap',
    {
      $defs: {
        E: { enum: [...times(5_000, 0), 'Ā'] },
        C: { anyOf: times(55, ref('E')) },
        B: { anyOf: times(55, ref('C')) },
        A: { anyOf: times(55, ref('B')) },
      },
      ...ref('A'),
    },
    1,
  ],
  ['contains over 32,000 objects: 7.8 s', { contains: { enum: rows(32_000) } }, members(2_000)],
  ['contains over 32,000 objects, in a list', { contains: { enum: rows(32_000) } }, rows(2_000).reverse()],
  ['uniqueItems of 4,000 objects: 1.4 s', { uniqueItems: true }, rows(4_000)],
  ['uniqueItems of very many', { uniqueItems: true }, rows(200_000)],
  [
    'long lists of required',
    { items: { required: Object.keys(members(30_000)) } },
    times(5_000, members(100)),
  ],
  [
    'dependentRequired of many',
    { items: { dependentRequired: { k0: Object.keys(members(30_000)) } } },
    times(5_000, members(50)),
  ],
  [
    'many texts of one length',
    { items: { const: `${'x'.repeat(500_000)}a` } },
    times(500, 'x'.repeat(500_001)),
  ],
  ['lengths of a long text', { allOf: times(10_000, { minLength: 1 }) }, 'x'.repeat(4_000_000)],
  ['numbers far apart', { items: { allOf: times(2_000, { multipleOf: 1e-308 }) } }, times(1_000, 1.7e308)],
  [
    'references to many places',
    {
      $defs: Object.fromEntries(rows(10_000).map(({ id }) => [`d${id}`, { type: 'string' }])),
      anyOf: rows(10_000).map(({ id }) => ref(`d${id}`)),
    },
    1,
  ],
  [
    'unevaluated members of many branches',
    {
      anyOf: times(300, { anyOf: times(50, { properties: allowed(1_000) }), unevaluatedProperties: true }),
      unevaluatedProperties: false,
    },
    members(1_000),
  ],
  ['a deep answer', { additionalProperties: { $ref: '#' } }, nested(100_000)],
  ['a deep constant', { const: nested(5_000) }, nested(5_000)],
  ['propertyNames of many', { allOf: times(3_000, { propertyNames: { minLength: 1 } }) }, members(100_000)],
];

describe('an attack', () => {
  it.each(ATTACKS)('by %s is over in time', (_name, schema, value) => {
    const before = process.threadCpuUsage();
    findMismatch(schema, value, () => undefined);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
  });
});
