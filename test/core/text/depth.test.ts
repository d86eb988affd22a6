// Levels of JSON, counted in values and in texts alike.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeeper, isDeeperText } from '../../../core/text/depth.ts';

const nested = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

/** Levels of a value, by another way. */
function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

it.each([
  ['lists', nested(3, '[', ']')],
  ['objects', '{"a":{"b":{"c":1}}}'],
  ['both', '[{"a":[]},1]'],
  ['what lies behind others', '[[],1,{"a":[]},[[]]]'],
  ['brackets and quotation marks in texts', '[{"]}\\"[[[[":["{{{\\\\"]}]'],
])('of %s are counted', (_name, json) => {
  for (const deeper of [
    (max: number) => isDeeper(JSON.parse(json), max),
    (max: number) => isDeeperText(json, max),
  ]) {
    expect([2, 3].map(deeper)).toEqual([true, false]);
  }
});

it('of any JSON are the same in a value and in its text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 7 }), (value, max) => {
      const expected = levelsOf(value) > max;
      expect([isDeeper(value, max), isDeeperText(JSON.stringify(value), max)]).toEqual([expected, expected]);
    }),
  );
});

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a":', '}'],
])('of a hundred thousand %s end no stack', (_name, open, close) => {
  const json = open.repeat(100_000) + (close === '}' ? '1' : '') + close.repeat(100_000);
  expect([99_999, 100_000].map((max) => isDeeperText(json, max))).toEqual([true, false]);
  expect([99_999, 100_000].map((max) => isDeeper(JSON.parse(json), max))).toEqual([true, false]);
});
