// 95 % intervals of rates and means, for reports: figures of few answers must look like figures of few answers.

/** The two-sided quantile of the normal distribution at 95 %. */
export const Z = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's interval of `part` of `all`; undefined for none. */
export function rateInterval(part: number, all: number): Interval | undefined {
  if (all <= 0) return undefined;
  const rate = part / all;
  const square = Z * Z;
  const middle = (rate + square / (2 * all)) / (1 + square / all);
  const half = (Z / (1 + square / all)) * Math.sqrt((rate * (1 - rate)) / all + square / (4 * all * all));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The normal approximation for a mean, from number, sum and sum of squares; undefined for fewer than two values. */
export function meanInterval(count: number, sum: number, squares: number): Interval | undefined {
  if (count < 2) return undefined;
  const mean = sum / count;
  const variance = Math.max(0, (squares - count * mean * mean) / (count - 1));
  const half = Z * Math.sqrt(variance / count);
  return { low: mean - half, high: mean + half };
}

/** A figure with its interval. */
export interface Estimate extends Interval {
  readonly value: number;
}

/**
 * The interval of `b - a` of two independent figures, from their own intervals: for rates it is Newcombe's, and it takes other figures as
 * well (method of variance estimates recovery).
 */
export function differenceInterval(a: Estimate, b: Estimate): Interval {
  const difference = b.value - a.value;
  return {
    low: difference - Math.hypot(b.value - b.low, a.high - a.value),
    high: difference + Math.hypot(b.high - b.value, a.value - a.low),
  };
}
