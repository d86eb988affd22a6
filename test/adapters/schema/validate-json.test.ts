// Answers against JSON Schemas, which callers may send: what is wrong is named, and no schema keeps the process busy.
import { describe, expect, it } from 'vitest';
import { findMismatch } from '../../../adapters/schema/find-mismatch.ts';
import { validateJson } from '../../../adapters/schema/validate-json.ts';

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
    expect(findMismatch(PERSON, value)).toBe(path);
  });

  it('may be of a schema that refers to itself', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } };
    expect(findMismatch(tree, { left: { right: {} } })).toBeUndefined();
    expect(findMismatch(tree, { left: { right: 7 } })).toBe('/left/right');
  });

  it('keeps what members of odd names ask', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"type":{"const":"x"}}}',
    );
    expect(findMismatch(schema, JSON.parse('{"__proto__":"x","type":"x"}'))).toBeUndefined();
    expect(findMismatch(schema, JSON.parse('{"type":"y"}'))).toBe('/type');
  });
});

describe('a schema', () => {
  it('that cannot be read takes nothing', () => {
    expect(findMismatch({ $ref: '#/$defs/absent' }, {})).toBe('/');
    expect(findMismatch({ $id: 'http://[' }, {})).toBe('/');
  });

  it('cannot bring its own patterns, on which a backtracking engine may spend hours', () => {
    const patterns = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$', format: 'email' } },
      patternProperties: { '^(b+)+$': { type: 'number' } },
      additionalProperties: false,
    };
    expect(findMismatch(patterns, { a: `${'a'.repeat(60)}!`, [`${'b'.repeat(60)}!`]: 1 })).toBeUndefined();
    expect(findMismatch(patterns, { a: 1 })).toBe('/a');
  });

  it('that doubles the work at every reference is given up', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `s${index}`,
        { allOf: [{ $ref: `#/$defs/s${index + 1}` }, { $ref: `#/$defs/s${index + 1}` }] },
      ]),
    );
    expect(findMismatch({ $ref: '#/$defs/s0', $defs: { ...$defs, s40: { type: 'object' } } }, {})).toBe('/');
  });

  it('that never ends is given up', () => {
    expect(findMismatch({ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, {})).toBe('/');
  });
});

it('is validated by the port once the validator is loaded', async () => {
  expect(await validateJson({ type: 'object' }, {})).toBeUndefined();
  expect(await validateJson({ type: 'object' }, 7)).toBe('/');
});
