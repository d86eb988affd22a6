// What one run has used and holds, by metric: plain numbers and the few ways in which they change.
import type { Metric } from '../ports/counters.ts';

/** Of one metric. */
export interface Share {
  readonly used: number;
  readonly held: number;
}

/** Of every metric. */
export type Balance = Readonly<Record<Metric, Share>>;

/** Amounts by metric. */
export type Amounts = Readonly<Record<Metric, number>>;

const NONE: Share = { used: 0, held: 0 };

export const EMPTY: Balance = { requests: NONE, tokens: NONE, cost: NONE };

/** Used and held together. */
export function takenOf({ used, held }: Share): number {
  return used + held;
}

/** The balance with more of it used and held; amounts may be negative. */
export function change(balance: Balance, used: Amounts, held: Amounts): Balance {
  const changed = (metric: Metric): Share => ({
    used: balance[metric].used + used[metric],
    held: balance[metric].held + held[metric],
  });
  return { requests: changed('requests'), tokens: changed('tokens'), cost: changed('cost') };
}
