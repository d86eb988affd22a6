// The guard against near misses, on pairs written by hand.
import { describe, expect, it } from 'vitest';
import { digestOfFeatures, type Features, findFeatures } from '../../../core/cache/semantic-guard.ts';
import { NEAR_MISSES, PARAPHRASES, UNSEEN } from './semantic-guard-pairs.ts';

/** What a number is of stands with the number, and so do percents; a slash makes a path. */
const SEEN_IN: Readonly<Record<string, readonly (keyof Features)[]>> = {
  units: ['numbers', 'units', 'dates'],
  dates: ['numbers', 'units', 'dates'],
  signs: ['signs', 'numbers', 'literals'],
};

const looksTheSame = (one: string, other: string) => digestOfFeatures(one) === digestOfFeatures(other);

describe('the guard against near misses', () => {
  it('is tried on sixty pairs at least, on a hundred of signs and prefixes, and on forty that ask the same', () => {
    expect(Object.values(NEAR_MISSES).flat().length).toBeGreaterThanOrEqual(60);
    const { signs = [], prefixes = [] } = NEAR_MISSES;
    expect(signs.length + prefixes.length).toBeGreaterThanOrEqual(100);
    expect(PARAPHRASES.length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(NEAR_MISSES))('refuses inputs that differ in their %s', (kind, pairs) => {
    expect(pairs.filter(([one, other]) => looksTheSame(one, other))).toEqual([]);
    const kinds = SEEN_IN[kind] ?? [kind as keyof Features];
    const found = (text: string) => JSON.stringify(kinds.map((one) => findFeatures(text)[one]));
    expect(pairs.filter(([one, other]) => found(one) === found(other))).toEqual([]);
  });

  it('lets pass what asks the same in other words', () => {
    expect(PARAPHRASES.filter(([one, other]) => !looksTheSame(one, other))).toEqual([]);
  });

  it('does not see what its documentation lists', () => {
    expect(UNSEEN.filter(([one, other]) => !looksTheSame(one, other))).toEqual([]);
  });

  it('finds each kind in the order of the text', () => {
    expect(
      findFeatures(
        'Send 2 boxes of 400 mg "Blue Pill" to Bonn and not to Rome by friday, see a_b. Nothing more!',
      ),
    ).toEqual({
      numbers: ['2', '400mg'],
      units: [],
      dates: ['friday'],
      negations: ['not', 'nothing'],
      quotes: ['Blue Pill'],
      names: ['Blue', 'Pill', 'Bonn', 'Rome'],
      literals: ['a_b'],
      signs: [],
      prefixes: [],
    });
  });

  it('ties a sign to what it stands at', () => {
    expect(
      findFeatures('If !done and -x < y-z, take .5 of a 6" board; see illegal, non-legal').signs,
    ).toEqual(['!done', '-x', 'x<y', 'y-z', '.5', '6"']);
    expect(findFeatures('illegal, non-legal, unter, discuss, information, until').prefixes).toEqual([
      'il-lega',
      'non-',
    ]);
  });

  it('reads full-width digits and narrow ones alike', () => {
    expect(looksTheSame('order ４２', 'order 42')).toBe(true);
    expect(looksTheSame('order ４２', 'order 43')).toBe(false);
  });

  it('takes time in proportion to the input, whatever it is made of', () => {
    // Steps, not seconds: a pattern that tried every beginning of these would be felt at this length.
    for (const piece of [
      'a',
      "'a",
      '“',
      '.',
      '1.',
      '1 -',
      ' ',
      '- ',
      '/',
      '-',
      'A',
      '«',
      "a'",
      '…',
      '6"',
      '!x ',
      'un',
      '-a',
    ]) {
      expect(findFeatures(piece.repeat(20_000 / piece.length)).dates).toEqual([]);
    }
  });
});
