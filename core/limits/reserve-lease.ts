// Reserves a run among the runs at once: one conditional write, and another when runs have died.
import type { Lease, ReserveRequest } from '../ports/counters.ts';
import { type Account, type RequestedChange, recordIncreases } from './account.ts';
import type { Balance } from './balance.ts';
import { type Denial, findDenial, UNREAD } from './denial.ts';
import { type ExhaustionContext, readStates } from './exhausted-limits.ts';
import { countsAt, endedLeases } from './leases.ts';
import type { CounterItem } from './plan-counters.ts';

interface LeaseReservation {
  readonly item: CounterItem;
  readonly changes: readonly RequestedChange[];
  readonly target: Balance;
  /** The write without its lease. */
  readonly request: ReserveRequest;
}

/** Attempts in all, since other runs may take the room that a read found. */
const MAX_ATTEMPTS = 3;

/**
 * A counter also counts runs that died, until a run needs their room. Throws `CounterFailure`. After a denied write another is safe,
 * since nothing was written.
 */
export async function reserveLease(
  account: Account,
  { item, changes, target, request }: LeaseReservation,
  context: ExhaustionContext,
): Promise<'reserved' | Denial> {
  const { counters, timeMs } = context;
  const endsAt = account.counter.window.endMs / 1_000;
  let ended: readonly Lease[] = [];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const outcome = await counters.reserve({ ...request, lease: { endsAt, ended } });
    if (outcome.reserved) {
      account.item = item;
      recordIncreases(account, changes, target);
      account.ended = endedLeases(outcome.state, timeMs);
      return 'reserved';
    }
    const state = outcome.state ?? (await readStates([item.key], context))(item.key);
    if (state === undefined) return UNREAD;
    const denial = findDenial(changes, countsAt(state, timeMs));
    if (denial !== undefined) return denial;
    ended = endedLeases(state, timeMs);
  }
  // The state that was read is out of date.
  return UNREAD;
}
