// Texts within JSON change, and nothing else of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapJson, mapJsonText, withoutEscapes } from '../../../core/guards/map-json.ts';
import { parseJson } from '../../../core/text/json.ts';

/** The structure of JSON: each text and name by its length, each number as a number. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.values(value).map(shapeOf);
}

const json = fc.jsonValue({ maxDepth: 4 });
const letters = (text: string) => text.replaceAll(/[a-z]/g, (one) => `${one}!`);
const onlyTexts = (text: string) => (/^-?\d/.test(text) ? text : letters(text));

describe('texts within JSON', () => {
  it('change, and no structure does', () => {
    const property = fc.property(json, (value) => {
      const parsed = parseJson(JSON.stringify(value));
      expect(shapeOf(mapJson(parsed, onlyTexts))).toEqual(shapeOf(parsed));
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it('that do not change leave the very same value, and the text as it is written', () => {
    const property = fc.property(json, fc.constantFrom('', ' ', '\n '), (value, space) => {
      const text = `${space}${JSON.stringify(value, null, 1)}${space}`;
      expect(mapJsonText(text, (one) => one)).toBe(text);
      const parsed = parseJson(text);
      expect(mapJson(parsed, (one) => one)).toBe(parsed);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it.each([
    ['{"a":{"b":["x",1,null,true]}}', '{"a!":{"b!":["x!",1,null,true]}}'],
    ['"x"', '"x!"'],
    ['x {"a":1}', 'x! {"a!":1}'],
    ['{"__proto__":"x"}', '{"__p!r!o!t!o!__":"x!"}'],
  ])('of %s are those of %s', (text, changed) => {
    expect(mapJsonText(text, letters)).toBe(changed);
  });
});

describe('escapes that JSON does not need', () => {
  const escaped = (text: string) =>
    [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  it('are written as what they mean, and nothing else changes', () => {
    const property = fc.property(json, fc.string(), (value, text) => {
      const written = `{"a":"${escaped(text.replaceAll(/[^ -~]/g, ''))}","b\\/":${JSON.stringify(value)}}`;
      const plain = withoutEscapes(written);
      expect(parseJson(plain)).toEqual(parseJson(written));
      expect(plain).not.toMatch(
        /(?<!\\)(?:\\\\)*\\(?:u00(?:2[013-9a-f]|[346][0-9a-f]|5[0-9abd-f]|7[0-9a-e])|\/)/i,
      );
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it.each([
    ['{"a":"ann\\u0040mail.example.com"}', '{"a":"ann@mail.example.com"}'],
    ['["https:\\/\\/u:s3cret-1@h.example"]', '["https://u:s3cret-1@h.example"]'],
    ['{"\\u0061":1e400,"b":12345678901234567890}', '{"a":1e400,"b":12345678901234567890}'],
  ])('of %s are gone', (text, plain) => {
    expect(withoutEscapes(text)).toBe(plain);
  });

  it.each([
    '{"a":"\\\\u0040"}',
    '{"a":"\\u0022\\u005c\\n\\u0007\\ud83d\\ude00"}',
    'a\\u0040b',
    '/a\\/b/',
    '{"a": \\u0040',
  ])('of %s stay', (text) => {
    expect(withoutEscapes(text)).toBe(text);
  });
});
