// Answers against JSON Schemas, which callers may send: what is wrong is named, and no schema keeps the process busy (hostile.test.ts).
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';
import { validateJson } from '../../../adapters/schema/validate-json.ts';
import type { JsonObject } from '../../../core/text/json.ts';

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    type: { type: ['string', 'null'] },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { tag: { enum: ['a', 'b'] } },
};

const inTime = (): void => undefined;

/** The path of what does not fit, or why nobody knows. */
function mismatchOf(schema: JsonObject, value: unknown): string | undefined {
  const mismatch = findMismatch(schema, value, inTime);
  if (mismatch === undefined) return undefined;
  return 'path' in mismatch ? mismatch.path : `unchecked: ${mismatch.unchecked}`;
}

describe('a value', () => {
  it.each<[unknown, string | undefined]>([
    [{ name: 'x' }, undefined],
    [{ name: 'x', tags: ['a', 'b'], type: null }, undefined],
    [{}, '/'],
    [{ name: '' }, '/name'],
    [{ name: 'x', tags: ['a', 'c'] }, '/tags/1'],
    [{ name: 'x', more: 1 }, '/more'],
    [[], '/'],
  ])('%j is wrong at %s', (value, path) => {
    expect(mismatchOf(PERSON, value)).toBe(path);
  });

  it('may be of a schema that refers to itself', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } };
    expect(mismatchOf(tree, { left: { right: {} } })).toBeUndefined();
    expect(mismatchOf(tree, { left: { right: 7 } })).toBe('/left/right');
  });

  it('keeps what members of odd names ask', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"type":{"const":"x"}}}',
    );
    expect(mismatchOf(schema, JSON.parse('{"__proto__":"x","type":"x"}'))).toBeUndefined();
    expect(mismatchOf(schema, JSON.parse('{"type":"y"}'))).toBe('/type');
  });
});

describe('a schema', () => {
  it.each([
    { $ref: '#/$defs/absent' },
    { $ref: '#absent' },
    { $ref: 'https://other.example/schema' },
    { $ref: 5 },
    { $id: 'http://[', $ref: '#' },
    { $dynamicRef: '#' },
    { anyOf: {} },
    { properties: { a: 5 } },
  ])('that cannot be read is not checked: %j', (schema) => {
    expect(mismatchOf(schema, { a: 1 })).toBe('unchecked: schema');
  });

  it('cannot bring its own patterns, on which a backtracking engine may spend hours', () => {
    const patterns = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$', format: 'email' } },
      patternProperties: { '^(b+)+$': { type: 'number' } },
      additionalProperties: false,
    };
    expect(mismatchOf(patterns, { a: `${'a'.repeat(60)}!`, [`${'b'.repeat(60)}!`]: 1 })).toBeUndefined();
    expect(mismatchOf(patterns, { a: 1 })).toBe('/a');
  });

  it('that doubles the work at every reference is given up', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `s${index}`,
        { allOf: [{ $ref: `#/$defs/s${index + 1}` }, { $ref: `#/$defs/s${index + 1}` }] },
      ]),
    );
    expect(mismatchOf({ $ref: '#/$defs/s0', $defs: { ...$defs, s40: { type: 'object' } } }, {})).toBe(
      'unchecked: cost',
    );
  });

  it('that never ends is given up', () => {
    expect(mismatchOf({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, {})).toBe('unchecked: cost');
  });
});

it('is validated by the port once the validator is loaded', async () => {
  expect(await validateJson({ type: 'object' }, {}, inTime)).toBeUndefined();
  expect(await validateJson({ type: 'object' }, 7, inTime)).toEqual({ path: '/' });
});

it('is given up at the deadline', () => {
  const late = new Error('late');
  const schema = { items: { type: 'string' } };
  const isLate = (): never => {
    throw late;
  };
  expect(() => findMismatch(schema, Array.from({ length: 5_000 }, String), isLate)).toThrow(late);
});
