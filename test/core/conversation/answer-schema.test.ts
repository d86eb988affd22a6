// A caller's answer schema that no answer could fit is refused with the path of its mistake, before anything is spent.
import { describe, expect, it } from 'vitest';
import { RESPONSE_FORMAT } from '../../../core/conversation/parse-tools.ts';

const parse = (schema: unknown) =>
  RESPONSE_FORMAT.read({
    path: 'responseFormat',
    value: { type: 'json_schema', json_schema: { name: 's', schema } },
  });

const manyNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, true]));

function paramOf(schema: unknown): unknown {
  try {
    parse(schema);
  } catch (error) {
    return (error as { param?: string }).param;
  }
  return 'accepted';
}

describe('the schema of an answer', () => {
  it.each<[string, unknown]>([
    ['of nothing', {}],
    ['of every type', { type: ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'] }],
    ['with a property named type', { type: 'object', properties: { type: { type: 'string' }, $ref: {} } }],
    ['with references', { $defs: { 'a/b~c d': { type: 'string' } }, $ref: '#/$defs/a~1b~0c%20d' }],
    ['that refers to itself', { type: 'object', properties: { next: { $ref: '#' } } }],
    ['with an anchor', { $defs: { a: { $anchor: 'here' } }, items: { $ref: '#here' } }],
    ['of booleans', { type: 'object', additionalProperties: false, items: true }],
    [
      'whose texts only look like schemas',
      { const: { type: 'wat' }, enum: [{ $ref: 'x' }], default: { type: 7 } },
    ],
  ])('%s is taken', (_what, schema) => {
    expect(paramOf(schema)).toBe('accepted');
  });

  const at = (path: string) => `responseFormat.json_schema.schema${path}`;
  it.each<[string, unknown, string]>([
    ['an unknown type', { type: 'wat' }, '.type'],
    ['no type in the list', { type: [] }, '.type'],
    ['an unknown one in the list', { type: ['string', 'wat'] }, '.type'],
    ['a type that is no text', { type: 7 }, '.type'],
    ['a reference that leads nowhere', { $ref: '#/$defs/a' }, '.$ref'],
    ['one by an inherited name', { $ref: '#/toString' }, '.$ref'],
    ['one to another document', { $ref: 'https://example.com/schema' }, '.$ref'],
    ['one that is no text', { $ref: 7 }, '.$ref'],
    ['one by the way that was taken', { items: { $dynamicRef: '#' } }, '.items.$dynamicRef'],
    ['very many members', { anyOf: Array.from({ length: 130_000 }, () => ({})) }, ''],
    ['very many names', { properties: manyNames(130_000) }, ''],
    ['a mistake in a property', { properties: { a: { type: 'x' } } }, '.properties.*.type'],
    ['one in items', { items: { items: { type: 'x' } } }, '.items.items.type'],
    ['one in a choice', { anyOf: [{}, { oneOf: [{ type: 'x' }] }] }, '.anyOf[1].oneOf[0].type'],
    ['one in a definition', { $defs: { a: { not: { $ref: '#/b' } } } }, '.$defs.*.not.$ref'],
    ['a property that is no schema', { properties: { a: 'string' } }, '.properties.*'],
    ['a choice that is no list', { anyOf: 'x' }, '.anyOf'],
  ])('with %s is refused with its path', (_what, schema, path) => {
    expect(paramOf(schema)).toBe(at(path));
  });
});
