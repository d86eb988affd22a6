// Patterns without modifiers of case find what the same patterns find with them where V8 reads them right.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBothCases } from '../../../core/guards/secrets/both-cases.ts';

describe('a pattern of both cases', () => {
  it.each([
    ['(?i:ab)c', '(?:[aA][bB])c'],
    ['a(?i:b(c|d)(?-i:e))f', 'a(?:[bB]([cC]|[dD])(?:e))f'],
    ['(?i:[a-z0-9_-])', '(?:[A-Za-z0-9_-])'],
    ['(?i:[^a\\w\\x60])', '(?:[^Aa\\w\\x60])'],
    ['(?i:\\bx\\x60\\n\\\\n)', '(?:\\b[xX]\\x60\\n\\\\[nN])'],
    ['(?i:(?<!a)(?=b)(?!c)(?<=d))', '(?:(?<![aA])(?=[bB])(?![cC])(?<=[dD]))'],
    ['[a](b)', '[a](b)'],
  ])('of %s is %s', (pattern, plain) => {
    expect(withBothCases(pattern)).toBe(plain);
  });

  it('finds what V8 does not find by the modifier', () => {
    const pattern = '(?i:aws_?secret_?(?:access_?)?key)';
    expect(new RegExp(withBothCases(pattern)).test('AWS_SECRET_ACCESS_KEY')).toBe(true);
  });

  it('finds the same as the flag of case does', () => {
    const part = fc.constantFrom(
      'a',
      'Z',
      'q?',
      '[a-f]',
      '[^x1]',
      '(?:k|lm)',
      '\\d',
      '_',
      '\\x61',
      '.',
      'e{1,3}',
    );
    const text = fc.string({ unit: fc.constantFrom(...'aAzZqQbFxXkKlLmMeE1_'), maxLength: 12 });
    const property = fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), text, (parts, searched) => {
      const pattern = parts.filter((one) => one !== '\\x61').join('');
      const plain = new RegExp(withBothCases(`(?i:${pattern})`));
      expect(plain.exec(searched)?.[0]).toBe(new RegExp(pattern, 'i').exec(searched)?.[0]);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
