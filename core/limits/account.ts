// What one run has in one counter: what the counter was recorded of it, and what is still to be recorded.
import type { CounterState, LimitedChange, Metric, Settlement } from '../ports/counters.ts';
import { type Balance, EMPTY, takenOf } from './balance.ts';
import type { CounterItem, LimitedCounter } from './plan-counters.ts';

/** One per counter of a request; `admit.ts` and `budget.ts` keep it. */
export interface Account {
  readonly counter: LimitedCounter;
  /** True for the last counter that the request asks: nothing that comes after can make it give back. */
  readonly isLast: boolean;
  /** The item that was taken of. */
  item: CounterItem | undefined;
  /** The run's share in what the item counts. */
  recorded: Balance;
  /** What everyone else had taken when the counter was last seen. */
  others: Partial<Record<Metric, number>>;
}

/** A change with what decides on its verdict. */
export interface WantedChange extends LimitedChange {
  /** What must fit beside everything that is used: the change, and what this run itself holds. */
  readonly need: number;
}

/** An account in which nothing is taken. */
export function openAccounts(counters: readonly LimitedCounter[]): readonly Account[] {
  return counters.map((counter, index) => ({
    counter,
    isLast: index === counters.length - 1,
    item: undefined,
    recorded: EMPTY,
    others: {},
  }));
}

/** What the item would have to be recorded for the run to have `wanted` in it, of the metrics that it limits. */
export function changesTo(
  { recorded }: Account,
  item: CounterItem,
  wanted: Balance,
): readonly WantedChange[] {
  const changes = item.limits.map(({ metric, limit }) => {
    const taken = takenOf(wanted[metric]) - takenOf(recorded[metric]);
    const held = wanted[metric].held - recorded[metric].held;
    return { metric, taken, held, limit, need: taken + recorded[metric].held };
  });
  return changes.filter(({ taken, held }) => taken !== 0 || held !== 0);
}

/** True where the counter has to be asked: what it was recorded does not cover what is wanted. */
export function needsWrite(changes: readonly WantedChange[]): boolean {
  return changes.some(({ taken }) => taken > 0);
}

/** Keeps what the counter said; `recorded` is the run's share in it. */
export function updateSnapshot(account: Account, { counts }: CounterState): void {
  for (const { metric } of account.counter.limits) {
    account.others[metric] = (counts[metric]?.taken ?? 0) - takenOf(account.recorded[metric]);
  }
}

/** What is left to tell the counter; undefined for nothing. */
export function settlementOf(account: Account, wanted: Balance): Settlement | undefined {
  const item = account.item ?? account.counter.items[0];
  if (item === undefined) return undefined;
  const changes = changesTo(account, item, wanted).map(({ metric, taken, held }) => ({
    metric,
    taken,
    held,
  }));
  return changes.length === 0 ? undefined : { key: item.key, changes };
}
