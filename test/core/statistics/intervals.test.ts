// Intervals of reports, held against published figures and values that were worked out elsewhere.
import { describe, expect, it } from 'vitest';
import { meanInterval, rateInterval } from '../../../core/statistics/intervals.ts';

describe('the interval of a rate', () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), 857-872: table I, method 3
  // (score, without continuity correction).
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i is that of Newcombe', (part, all, low, high) => {
    const interval = rateInterval(part, all);
    expect([interval?.low, interval?.high].map((value) => Number(value?.toFixed(4)))).toEqual([low, high]);
  });

  // Those that docs/test.md and reports show, by hand from Wilson's formula.
  it.each([
    [10, 10, 0.72, 1],
    [9, 10, 0.6, 0.98],
    [45, 50, 0.79, 0.96],
    [90, 100, 0.83, 0.94],
    [180, 200, 0.85, 0.93],
    [0, 10, 0, 0.28],
  ])('%i of %i is %f to %f', (part, all, low, high) => {
    const interval = rateInterval(part, all);
    expect([interval?.low.toFixed(2), interval?.high.toFixed(2)]).toEqual([low.toFixed(2), high.toFixed(2)]);
  });

  it('is unknown for nothing', () => {
    expect(rateInterval(0, 0)).toBeUndefined();
  });
});

describe('the interval of a mean', () => {
  it('is mean and standard error of 1, 2, 3, 4, 5', () => {
    // Variance 2.5, standard error 0.7071, times 1.96.
    const { low, high } = meanInterval(5, 15, 55) ?? {};
    expect([low?.toFixed(3), high?.toFixed(3)]).toEqual(['1.614', '4.386']);
  });

  it('has no width for equal values, and is unknown for one', () => {
    expect(meanInterval(3, 12, 48)).toEqual({ low: 4, high: 4 });
    expect(meanInterval(1, 4, 16)).toBeUndefined();
  });
});
