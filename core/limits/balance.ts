// The amounts that one run has used and holds, by metric.
import type { LimitMetric } from '../ports/counters.ts';

/** `held` is reserved and not yet used. */
interface MetricBalance {
  readonly used: number;
  readonly held: number;
}

export type Balance = Readonly<Record<LimitMetric, MetricBalance>>;

/** Amounts by metric. */
export type Amounts = Readonly<Record<LimitMetric, number>>;

const NONE: MetricBalance = { used: 0, held: 0 };

export const EMPTY_BALANCE: Balance = { requests: NONE, tokens: NONE, cost: NONE, concurrent: NONE };

/** Used and held together, which count towards a limit. */
export function takenOf({ used, held }: MetricBalance): number {
  return used + held;
}

/** The balance with these amounts added; amounts may be negative. */
export function addToBalance(balance: Balance, used: Amounts, held: Amounts): Balance {
  const add = (metric: LimitMetric): MetricBalance => ({
    used: balance[metric].used + used[metric],
    held: balance[metric].held + held[metric],
  });
  return {
    requests: add('requests'),
    tokens: add('tokens'),
    cost: add('cost'),
    concurrent: add('concurrent'),
  };
}
