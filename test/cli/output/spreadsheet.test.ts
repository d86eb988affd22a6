// Texts of callers in CSV: no spreadsheet of any locale runs them, and a reader gets them back.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeFormulas, unescapeFormulas } from '../../../cli/output/spreadsheet.ts';

const hostile = fc
  .array(fc.constantFrom('=', '+', '-', '@', '＝', '＠', ';', '\t', '|', '\r', '\n', "'", '"', ' ', '1', 'a'))
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
        for (const cell of cells) expect(cell).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/u);
      }),
      { numRuns: 1_000 },
    );
  },
);
