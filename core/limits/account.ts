// One run's account with one counter: how much the counter has recorded for the run, and the difference to what it should record.
import type { CounterState, Lease, LimitedChange, LimitMetric, Settlement } from '../ports/counters.ts';
import { type Balance, EMPTY_BALANCE, takenOf } from './balance.ts';
import type { CounterItem, LimitedCounter } from './plan-counters.ts';

/** One for each counter of a request; mutated by `reserve.ts`. */
export interface Account {
  readonly counter: LimitedCounter;
  /** The item that holds the run's reservation: for a sharded counter, the shard. Undefined before the first reservation. */
  item: CounterItem | undefined;
  /** What the counter has recorded for this run. */
  recorded: Balance;
  /** Snapshot of what all other runs had used and held, from the latest write or read. */
  takenByOthers: Partial<Record<LimitMetric, number>>;
  /** Of runs at once: leases of others that had ended at the latest reservation. */
  ended: readonly Lease[];
}

/** A change to write, and the room it needs. */
export interface RequestedChange extends LimitedChange {
  /**
   * The change together with what this run already holds. When this does not fit beside what is used, waiting for other runs to end
   * cannot help.
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

/** The changes that bring the recorded balance to `target`, for the metrics that the item limits. Empty when it is there already. */
export function changesTo(
  { recorded }: Account,
  item: CounterItem,
  target: Balance,
): readonly RequestedChange[] {
  const changes = item.limits.map(({ metric, limit }) => {
    const taken = takenOf(target[metric]) - takenOf(recorded[metric]);
    const held = target[metric].held - recorded[metric].held;
    return { metric, taken, held, limit, needed: taken + recorded[metric].held };
  });
  return changes.filter(({ taken, held }) => taken !== 0 || held !== 0);
}

/** True when the recorded balance does not cover the target. Changes that only release or settle can wait until the run ends. */
export function needsWrite(changes: readonly RequestedChange[]): boolean {
  return changes.some(({ taken }) => taken > 0);
}

/** Stores what other runs have taken. `state` must include the run's own `recorded` balance. */
export function updateSnapshot(account: Account, { counts }: CounterState): void {
  for (const { metric } of account.counter.limits) {
    account.takenByOthers[metric] = (counts[metric]?.taken ?? 0) - takenOf(account.recorded[metric]);
  }
}

/** The write that brings the recorded balance to `target`; undefined when there is nothing to write. */
export function settlementOf(account: Account, target: Balance): Settlement | undefined {
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

/** Fewer ended leases are left in the item: removing them one by one would be a write for each. */
const MIN_ENDED = 16;

/** The write that removes ended leases before they make the item large; undefined while they are few. */
export function removalOfEnded({ item, ended }: Account): Settlement | undefined {
  if (item === undefined || ended.length < MIN_ENDED) return undefined;
  return { key: item.key, changes: [], ended };
}
