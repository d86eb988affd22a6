// The statistics of tests against published figures.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewestChanges, mcnemarExact } from '../../../core/statistics/mcnemar.ts';
import { pairedBootstrap } from '../../../core/statistics/paired-bootstrap.ts';
import { chiSquaredTail, sampleRatio } from '../../../core/statistics/sample-ratio.ts';
import { seeded } from '../../../core/statistics/seeded.ts';

/** Of the definition, in whole numbers: 2 · Σ C(n, i) / 2ⁿ. */
function exactly(more: number, fewer: number): number {
  const all = BigInt(more + fewer);
  let [coefficient, tail] = [1n, 1n];
  for (let i = 1n; i <= BigInt(Math.min(more, fewer)); i += 1n) {
    coefficient = (coefficient * (all - i + 1n)) / i;
    tail += coefficient;
  }
  const digits = 10n ** 18n;
  return Math.min(1, Number((2n * tail * digits) / 2n ** all) / 1e18);
}

describe("McNemar's exact test", () => {
  // Fay, "Exact McNemar's test and matching confidence intervals", the vignette of R's exact2x2: 9 against 2 pairs, p = 0.06543.
  it('of 9 and 2 is that of the vignette of exact2x2', () => {
    expect(Number(mcnemarExact(9, 2).toFixed(5))).toBe(0.06543);
  });

  // Twice the one-sided tails of the binomial distribution of one half, as in tables of the sign test (Dixon and Mood, "The statistical
  // sign test", Journal of the American Statistical Association 41, 1946, 557-566).
  it.each([
    [0, 5, 0.0625],
    [0, 6, 0.03125],
    [1, 8, 0.0390625],
    [2, 9, 0.0654296875],
    [3, 12, 0.03515625],
    [5, 15, 0.04138946533203125],
    [0, 0, 1],
    [4, 4, 1],
  ])('of %i and %i has p = %f', (more, fewer, p) => {
    expect(mcnemarExact(more, fewer)).toBeCloseTo(p, 12);
    expect(mcnemarExact(fewer, more)).toBe(mcnemarExact(more, fewer));
  });

  it('is the definition in whole numbers, for any counts', () => {
    const count = fc.nat({ max: 400 });
    fc.assert(
      fc.property(count, count, (more, fewer) => {
        expect(mcnemarExact(more, fewer)).toBeCloseTo(exactly(more, fewer), 10);
      }),
    );
  });

  it('stays a probability where powers of two are none any more', () => {
    expect(mcnemarExact(5_000, 5_100)).toBeCloseTo(0.3246, 3);
    expect(mcnemarExact(0, 3_000)).toBe(0);
  });

  it('needs six changes in one direction', () => expect(fewestChanges(0.05)).toBe(6));
});

describe('the sample ratio check', () => {
  // Upper 5 % and 0.1 % points of χ² (NIST/SEMATECH e-Handbook, 1.3.6.7.4).
  it.each([
    [1, 3.841, 10.828],
    [2, 5.991, 13.816],
    [3, 7.815, 16.266],
    [4, 9.488, 18.467],
    [5, 11.07, 20.515],
    [10, 18.307, 29.588],
  ])('has the points of the table with %i degrees of freedom', (degrees, five, thousandth) => {
    expect(chiSquaredTail(five, degrees)).toBeCloseTo(0.05, 4);
    expect(chiSquaredTail(thousandth, degrees)).toBeCloseTo(0.001, 5);
  });

  // Fabijan et al., "Diagnosing sample ratio mismatch in online controlled experiments", KDD 2019: p = 1.8e-6.
  it('finds the mismatch of 821,588 to 815,482 in equal shares', () => {
    const found = sampleRatio([821_588, 815_482], [50, 50]);
    expect(found?.isMismatch).toBe(true);
    expect(found?.p).toBeCloseTo(1.8e-6, 7);
  });

  it('takes what chance makes, and shares that differ', () => {
    expect(sampleRatio([903, 97], [90, 10])).toMatchObject({ isMismatch: false });
    expect(sampleRatio([500, 500], [90, 10])).toMatchObject({ isMismatch: true });
    expect([sampleRatio([0, 0], [1, 1]), sampleRatio([5], [1])]).toEqual([undefined, undefined]);
  });
});

describe('the paired bootstrap', () => {
  it('is the same for the same seed, and another for another', () => {
    const differences = [0.2137, -0.1291, 0.4019, 0, 0.3071, 0.1033, -0.1969, 0.25];
    const one = pairedBootstrap(differences, { seed: 7 });
    expect(pairedBootstrap(differences, { seed: 7 })).toEqual(one);
    expect(pairedBootstrap(differences, { seed: 8 })).not.toEqual(one);
    expect(one?.mean).toBeCloseTo(0.11875, 12);
  });

  // Efron and Tibshirani, An Introduction to the Bootstrap (1993): the treated mice of table 2.1, whose mean has the percentiles 45.9 and
  // 135.4 by 1,000 resamples (table 13.1), and a standard error of 23.36 by endlessly many (table 2.2).
  it('is that of Efron and Tibshirani for the treated mice, as far as 1,000 resamples tell', () => {
    const {
      mean = 0,
      low = 0,
      high = 0,
    } = pairedBootstrap([94, 197, 16, 38, 99, 141, 23], { seed: 1 }) ?? {};
    expect(mean.toFixed(2)).toBe('86.86');
    // The standard error of a 2.5 % point of 1,000 resamples is about 2.
    expect(Math.abs(low - 45.9)).toBeLessThan(4);
    expect(Math.abs(high - 135.4)).toBeLessThan(4);
  });

  it('comes to the interval of the normal distribution for many cases', () => {
    const random = seeded(3);
    const differences = Array.from({ length: 400 }, () => random() - 0.4);
    const { mean = 0, low = 0, high = 0 } = pairedBootstrap(differences, { seed: 1 }) ?? {};
    // The standard error of a mean of 400 uniform numbers is 1/√12/20.
    const half = 1.96 / Math.sqrt(12) / 20;
    expect(low).toBeCloseTo(mean - half, 2);
    expect(high).toBeCloseTo(mean + half, 2);
  });

  it('covers the true mean about as often as it says', () => {
    const random = seeded(11);
    const covered = Array.from({ length: 300 }, (_, seed) => {
      const differences = Array.from({ length: 40 }, () => (random() < 0.3 ? 1 : 0));
      const interval = pairedBootstrap(differences, { seed, resamples: 500 });
      return interval !== undefined && interval.low <= 0.3 && interval.high >= 0.3;
    }).filter(Boolean).length;
    expect(covered / 300).toBeGreaterThan(0.88);
    expect(covered / 300).toBeLessThan(0.99);
  });

  it('says nothing about one case', () => expect(pairedBootstrap([1], { seed: 1 })).toBeUndefined());
});
