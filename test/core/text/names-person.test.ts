// Names of persons in short texts: those that can be listed without knowing the name are those that are found by it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, listNames, namesPerson } from '../../../core/text/names-person.ts';
import '../../support/property-runs.ts';

const letters = fc.constantFrom(
  'a',
  'A',
  'b',
  '1',
  ' ',
  '.',
  '@',
  '/',
  '\u00e9',
  'e\u0301',
  '\u0130',
  '\u{1F600}',
  '\u{10400}',
);
const texts = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));
const names = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

describe('names in a text', () => {
  it('are listed as they are found', () => {
    fc.assert(
      fc.property(texts, names, (text, name) => {
        expect(listNames(text).has(foldName(name))).toBe(namesPerson(text, [name]));
      }),
    );
  });

  it('are words of their own, in any case', () => {
    const found = listNames('Of ADA@example.com!');
    expect([...found]).toEqual(expect.arrayContaining(['ada@example.com', 'of', 'of ada@example.com!']));
    expect(found.has('da@example.com')).toBe(false);
    expect(listNames('')).toEqual(new Set());
  });
});
