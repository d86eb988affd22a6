// Buckets, and percentiles with intervals that hold: each is compared with samples whose truth is known.
import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  bucketOf,
  COST_SCALE,
  LATENCY_SCALE,
  meanIntervalOf,
  percentileOf,
} from '../../../core/statistics/histogram.ts';
import { differenceInterval, rateInterval } from '../../../core/statistics/intervals.ts';
import { seeded } from '../../../core/statistics/seeded.ts';

function histogramOf(scale: typeof LATENCY_SCALE, values: readonly number[]): ReadonlyMap<number, number> {
  const histogram = new Map<number, number>();
  for (const value of values) {
    const bucket = bucketOf(scale, value);
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
  }
  return histogram;
}

describe('a histogram', () => {
  it.each([
    [0, 0],
    [63.9, 0],
    [64, 1],
    [90, 1],
    [91, 2],
    [127, 2],
    [128, 3],
    [131_072, 23],
    [1e12, 23],
    [-5, 0],
  ])('has %d ms in bucket %d', (value, bucket) => {
    expect(bucketOf(LATENCY_SCALE, value)).toBe(bucket);
  });

  it('has every value within the bounds of its bucket', () => {
    for (const value of [0, 1, 2, 3, 17, 90, 1_000, 123_456, 8_388_608, 1e9]) {
      const [from, to] = boundsOf(COST_SCALE, bucketOf(COST_SCALE, value));
      expect(value).toBeGreaterThanOrEqual(from);
      expect(value).toBeLessThan(to);
    }
  });

  it('has a percentile within a bucket of the true one, and none without values', () => {
    const values = Array.from({ length: 1_000 }, (_, at) => 100 + at);
    const p95 = percentileOf(LATENCY_SCALE, histogramOf(LATENCY_SCALE, values), 0.95);
    expect(p95?.value).toBeGreaterThan(1_050 / Math.SQRT2);
    expect(p95?.value).toBeLessThan(1_050 * Math.SQRT2);
    expect(percentileOf(LATENCY_SCALE, new Map(), 0.95)).toBeUndefined();
    expect(percentileOf(LATENCY_SCALE, new Map([[23, 5]]), 0.5)).toEqual({
      value: 131_072,
      low: 131_072,
      high: null,
    });
  });

  it('has intervals that hold the true percentile in at least 95 % of samples', () => {
    const random = seeded(56);
    const holds = Array.from({ length: 2_000 }, () => {
      // Exponential with a mean of 1 s: the median is 693 ms.
      const values = Array.from({ length: 40 }, () => -1_000 * Math.log(1 - random()));
      const { low, high } = percentileOf(LATENCY_SCALE, histogramOf(LATENCY_SCALE, values), 0.5)!;
      return low <= 693.1 && (high ?? Number.POSITIVE_INFINITY) >= 693.1;
    });
    expect(holds.filter(Boolean).length / holds.length).toBeGreaterThanOrEqual(0.95);
  });

  it('has an interval of the mean that holds the true one', () => {
    const random = seeded(57);
    const holds = Array.from({ length: 2_000 }, () => {
      const values = Array.from({ length: 60 }, () => Math.round(-1_000 * Math.log(1 - random())));
      const mean = values.reduce((total, value) => total + value, 0) / values.length;
      const { low, high } = meanIntervalOf(COST_SCALE, histogramOf(COST_SCALE, values), mean)!;
      return low <= 1_000 && high >= 1_000;
    });
    // The normal approximation of 60 skewed values.
    expect(holds.filter(Boolean).length / holds.length).toBeGreaterThan(0.92);
    expect(meanIntervalOf(COST_SCALE, new Map([[3, 1]]), 3)).toBeUndefined();
    expect(meanIntervalOf(COST_SCALE, new Map([[0, 9]]), 0)).toEqual({ low: 0, high: 0 });
  });
});

describe('the interval of a difference', () => {
  it("is Newcombe's for rates", () => {
    // Newcombe 1998, method 10: 56/70 against 48/80 has 0.0524 to 0.3339.
    const rate = (part: number, all: number) => ({ value: part / all, ...rateInterval(part, all)! });
    const { low, high } = differenceInterval(rate(48, 80), rate(56, 70));
    expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.0524', '0.3339']);
  });
});
