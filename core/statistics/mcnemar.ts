// McNemar's exact test of two versions that were tried on the same cases: only cases that changed sides count.

/**
 * The two-sided p of `fewer` against `more` changed cases, both whole: twice the smaller tail of the binomial distribution of one half, at
 * most 1. 1 where none has changed.
 */
export function mcnemarExact(more: number, fewer: number): number {
  const all = more + fewer;
  // Σ C(all, i) / 2^all up to the smaller one, from logarithms: neither the coefficient nor the power fits a number for long.
  let logCoefficient = 0;
  let tail = 0;
  for (let i = 0; i <= Math.min(more, fewer); i += 1) {
    if (i > 0) logCoefficient += Math.log(all - i + 1) - Math.log(i);
    tail += Math.exp(logCoefficient - all * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}

/** The fewest cases that must change, all in one direction, for a p below `alpha`. */
export function fewestChanges(alpha: number): number {
  let changes = 1;
  while (mcnemarExact(changes, 0) >= alpha) changes += 1;
  return changes;
}
