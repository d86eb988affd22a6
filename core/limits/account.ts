// One run's account with one counter: the amounts that the counter has recorded for the run, and changes to them.
import type { CounterState, Lease, LimitedChange, LimitMetric, Settlement } from '../ports/counters.ts';
import { type Balance, EMPTY_BALANCE, takenOf } from './balance.ts';
import type { CounterItem, LimitedCounter } from './plan-counters.ts';

/** Mutated by `reserve.ts`. */
export interface Account {
  readonly counter: LimitedCounter;
  /** The item that holds the run's reservation: for a sharded counter, the shard. Undefined before the first reservation. */
  item: CounterItem | undefined;
  /** The amounts that the counter has recorded for this run. */
  recorded: Balance;
  /** The amounts that all other runs had used and held at the latest write or read. */
  takenByOthers: Partial<Record<LimitMetric, number>>;
  /** For runs at once: leases of others that had ended at the latest reservation. */
  ended: readonly Lease[];
}

/** A change to write, and the room it needs. */
export interface RequestedChange extends LimitedChange {
  /**
   * The change together with the amount that this run holds already. When this does not fit beside the used amount, waiting for other
   * runs does not help.
   */
  readonly needed: number;
}

/** One account for each counter, with nothing reserved. */
export function openAccounts(counters: readonly LimitedCounter[]): readonly Account[] {
  return counters.map((counter) => ({
    counter,
    item: undefined,
    recorded: EMPTY_BALANCE,
    takenByOthers: {},
    ended: [],
  }));
}

/**
 * The amounts that the recorded balance lacks of `target`, for the metrics that the item limits. A reservation lowers nothing: if its outcome is
 * unknown, the settlement would lower the same amount again. Settlements lower, once a run.
 */
export function increasesTo(
  account: Account,
  item: CounterItem,
  target: Balance,
): readonly RequestedChange[] {
  return changesTo(account, item, target).filter(({ taken }) => taken > 0);
}

/** Records that the increases to `target` were written. */
export function recordIncreases(
  account: Account,
  increases: readonly RequestedChange[],
  target: Balance,
): void {
  const raised = increases.map(({ metric }) => [metric, target[metric]]);
  account.recorded = { ...account.recorded, ...Object.fromEntries(raised) };
}

/** The changes from the recorded balance to `target`, for the metrics that the item limits. */
function changesTo({ recorded }: Account, item: CounterItem, target: Balance): readonly RequestedChange[] {
  const changes = item.limits.map(({ metric, limit }) => {
    const taken = takenOf(target[metric]) - takenOf(recorded[metric]);
    const held = target[metric].held - recorded[metric].held;
    return { metric, taken, held, limit, needed: taken + recorded[metric].held };
  });
  return changes.filter(({ taken, held }) => taken !== 0 || held !== 0);
}

/** Stores the amounts taken by other runs. `state` must include the run's own `recorded` balance. */
export function updateSnapshot(account: Account, { counts }: CounterState): void {
  for (const { metric } of account.counter.limits) {
    account.takenByOthers[metric] = (counts[metric]?.taken ?? 0) - takenOf(account.recorded[metric]);
  }
}

/** The write that changes the recorded balance to `target`; undefined without a change. */
export function toSettlement(account: Account, target: Balance): Settlement | undefined {
  const item = account.item ?? account.counter.items[0];
  if (item === undefined) return undefined;
  const changes = changesTo(account, item, target).map(({ metric, taken, held }) => ({
    metric,
    taken,
    held,
  }));
  if (changes.length === 0) return undefined;
  return { key: item.key, changes, ...leaseOf(account.counter) };
}

function leaseOf({ period, window }: LimitedCounter): Pick<Settlement, 'lease'> {
  return period === undefined ? { lease: window.endMs / 1_000 } : {};
}

/** Fewer ended leases stay in the item: removing them singly would cost a write each. */
const MIN_ENDED_LEASES = 16;

/** The write that removes ended leases, so that they do not make the item large; undefined for a few. */
export function toLeaseRemoval({ item, ended }: Account): Settlement | undefined {
  if (item === undefined || ended.length < MIN_ENDED_LEASES) return undefined;
  return { key: item.key, changes: [], ended };
}
