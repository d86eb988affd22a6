// The sample ratio check: whether callers reached the arms of a split in the shares that it gives them.
import { sum } from '../text/numbers.ts';

export interface SampleRatio {
  /** Pearson's χ², with one degree of freedom less than there are arms. */
  readonly chiSquared: number;
  readonly p: number;
  /** True where the arms cannot be compared: what chose between them is not what the split says. */
  readonly isMismatch: boolean;
}

/** So small, since a comparison is looked at often, and a true mismatch grows without end. */
const ALPHA = 0.001;

/** `counts` and `shares` of the arms, in one order; shares are positive, in any unit. Undefined without a count, and for one arm. */
export function sampleRatio(counts: readonly number[], shares: readonly number[]): SampleRatio | undefined {
  const [all, whole] = [sum(counts), sum(shares)];
  if (counts.length < 2 || all === 0) return undefined;
  const chiSquared = sum(
    counts.map((count, arm) => {
      const expected = (all * (shares[arm] ?? 0)) / whole;
      return (count - expected) ** 2 / expected;
    }),
  );
  const p = chiSquaredTail(chiSquared, counts.length - 1);
  return { chiSquared, p, isMismatch: p < ALPHA };
}

/** The probability of at least so much, by the closed forms of whole degrees of freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5). */
export function chiSquaredTail(value: number, degrees: number): number {
  const half = value / 2;
  const isOdd = degrees % 2 === 1;
  let tail = isOdd ? complementaryError(Math.sqrt(half)) : Math.exp(-half);
  let term = isOdd ? 2 * Math.sqrt(half / Math.PI) * Math.exp(-half) : Math.exp(-half);
  const first = isOdd ? 1.5 : 1;
  for (let at = 0; at < Math.floor((degrees - 1) / 2); at += 1) {
    if (isOdd) {
      tail += term;
      term *= half / (first + at);
    } else {
      term *= half / (first + at);
      tail += term;
    }
  }
  return tail;
}

/** erfc by its series for small values and its continued fraction for the others, to 14 digits. */
function complementaryError(value: number): number {
  const square = value * value;
  if (value < 2) {
    let term = value;
    let series = value;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(series) && n < 200; n += 1) {
      term *= (2 * square) / (2 * n + 1);
      series += term;
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-square) * series;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n -= 1) fraction = n / 2 / (value + fraction);
  return Math.exp(-square) / (Math.sqrt(Math.PI) * (value + fraction));
}
