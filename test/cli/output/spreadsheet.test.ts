// Texts of callers in CSV: no spreadsheet of any locale runs them, and a reader gets them back.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeFormulas, unescapeFormulas } from '../../../cli/output/spreadsheet.ts';

const hostile = fc
  .array(fc.constantFrom(...`=+-@＝＠﹦﹫;\t|\r\n'" \u00A0\u3000\uFEFF\u200B\u000B1a`))
  .map((parts) => parts.join(''));

it('gives every text back', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

it.each([',', ';', '\t', '|', '\n', '\r'])(
  'begins no cell with a formula where %j separates cells',
  (separator) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cells = escapeFormulas(text).split(separator);
        // A program that knows no quotes takes them, and blanks, for a part of the cell.
        for (const cell of cells)
          expect(cell.replaceAll(/[\s"\u200B\uFEFF]/gu, '')).not.toMatch(/^[=+\-@＝＋－＠﹦﹢﹣﹫]/u);
      }),
      { numRuns: 1_000 },
    );
  },
);

it('takes time in proportion to the text', () => {
  const before = process.threadCpuUsage();
  for (const part of ['\t', ';', ';"', '; ', ' ', '"', ";'", "'", '\u200B', '\uFEFF', ';='])
    unescapeFormulas(escapeFormulas(part.repeat(300_000)));
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});
