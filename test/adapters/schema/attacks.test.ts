// Schemas and answers that were made to keep a validator busy: 250 ms of CPU are the most that one may take. hostile.test.ts has random ones.
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';

const MAX_CPU_MS = 250;

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
