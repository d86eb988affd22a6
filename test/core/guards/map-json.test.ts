// Texts within JSON change, and nothing else of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapJson, mapJsonText } from '../../../core/guards/map-json.ts';
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
