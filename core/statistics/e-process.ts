// A test of two rates that stays valid however often one looks at it: a safe test for 2×2 tables (Turner, Ly and Grünwald, "Generic
// E-variables for exact sequential k-sample tests"). Each block multiplies the evidence by a likelihood ratio whose parameters come from
// earlier blocks, so that its expectation is at most 1 while the candidate is no worse. By Ville's inequality it then ever reaches 1/α
// with a probability of at most α.

/** Trials of one side, and how many of them were bad. */
export interface Counts {
  readonly count: number;
  readonly bad: number;
}

/** Both sides of a comparison. */
export interface Sides<T> {
  readonly control: T;
  readonly candidate: T;
}

/** Assumed before the first trial. */
const FIRST_RATES = { control: 0.02, candidate: 0.1 } as const;
/** Keeps estimated rates away from 0 and 1. */
const PRIOR = 0.18;

/** The logarithm of the factor of one block. `earlier`: the sums of all blocks before it, and of none that comes with it. */
export function evidenceOf(earlier: Sides<Counts>, block: Sides<Counts>): number {
  const control = rateOf(earlier.control, FIRST_RATES.control);
  // One-sided: a candidate that is better is no evidence.
  const candidate = Math.max(control, rateOf(earlier.candidate, FIRST_RATES.candidate));
  const { count } = block.control;
  const all = count + block.candidate.count;
  if (all === 0) return 0;
  const pooled = (count * control + block.candidate.count * candidate) / all;
  return logRatio(block.control, control, pooled) + logRatio(block.candidate, candidate, pooled);
}

function rateOf({ count, bad }: Counts, first: number): number {
  return count === 0 ? first : (bad + PRIOR) / (count + 2 * PRIOR);
}

function logRatio({ count, bad }: Counts, rate: number, pooled: number): number {
  return bad * Math.log(rate / pooled) + (count - bad) * Math.log((1 - rate) / (1 - pooled));
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { count: a.count + b.count, bad: a.bad + b.bad };
}
