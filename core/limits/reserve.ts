// Reserves the amounts of a run in every counter that limits it, or in none.
//
// No run begins beyond a limit: a counter grows before it only by a conditional write that keeps `taken` (used and held) within the limit,
// and a settlement subtracts no more than this run is known to have added, which is what confirmed writes raised (`recorded`, in
// `account.ts`). A write is sent again only where it was certainly not made, throttled or denied (`reserve-lease.ts`, `send-settlement.ts`);
// the client of `adapters/dynamodb/counters.ts` retries nothing. `budget.ts` has the amounts. An attempt holds its maximum, `maxTokens` and the
// bytes that are sent (`core/flow/target-attempt.ts`), and in the end what it used: nothing where it failed before the provider did any work,
// the maximum where it failed later. `exhausted-limits.ts` only rejects sooner and with the right error: no limit needs it.
//
// A write of unknown outcome, a lost settlement and a function that dies leave the amount held until the window ends: stricter, never
// looser. More than a limit is counted in four cases alone: a provider reports more use than was reserved, `whenCountersFail: admit`, and
// a limit that is lowered or a stage whose `counterShards` change within a window.
import { ServiceError } from '../contract/service-error.ts';
import { CounterFailure, isThrottled } from '../ports/counters.ts';
import type { Random } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';
import {
  type Account,
  increasesTo,
  type RequestedChange,
  recordIncreases,
  toSettlement,
  updateSnapshot,
} from './account.ts';
import type { Balance } from './balance.ts';
import { type Denial, limitError } from './denial.ts';
import {
  classifyDenial,
  type ExhaustionContext,
  findKnownDenial,
  rejectExhausted,
} from './exhausted-limits.ts';
import type { CounterItem } from './plan-counters.ts';
import { reserveLease } from './reserve-lease.ts';

export interface ReserveContext extends ExhaustionContext {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Pick<Random, 'fraction'>;
  /** Time that an item stays after its window, so that late settlements find it: more than the longest run. */
  readonly retentionMs: number;
  /** True when requests are admitted without a counter that fails. */
  readonly failOpen: boolean;
  /** Called for each counter that fails, whether or not the request is then admitted. */
  readonly onCounterFailure: () => void;
}

/** A reservation, to be undone when a later counter denies. */
interface AccountReservation {
  readonly account: Account;
  readonly previous: Balance;
}

/**
 * Raises the recorded balance of every account to `target`, counter by counter with one conditional write each; counters that cover
 * the target already are skipped. When a counter denies or fails, the reservations before it are released. Throws `ServiceError`:
 * `rate_limited`, `usage_limit_exceeded` or `too_many_at_once` (429), `overloaded` or `dependency_unavailable` (503).
 */
export async function reserveAll(
  accounts: readonly Account[],
  target: Balance,
  context: ReserveContext,
): Promise<void> {
  await rejectExhausted(accounts, target, context);
  const reserved: AccountReservation[] = [];
  for (const account of accounts) {
    try {
      const previous = account.recorded;
      await reserveInCounter(account, target, context);
      reserved.push({ account, previous });
    } catch (error) {
      await Promise.all(reserved.map((one) => release(one, context)));
      throw error;
    }
  }
}

/**
 * Maximum wait before a throttled write is tried once more, in milliseconds, with full jitter
 * (aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter).
 */
const MAX_RESERVE_DELAY_MS = 50;

/** Tries the shards until one has room, and those that throttled once more. Other counters have a single item. */
async function reserveInCounter(account: Account, target: Balance, context: ReserveContext): Promise<void> {
  const first = await tryItems(account, shardsFromRandomStart(account, context), target, context);
  if (first === 'reserved') return;
  const last = await retryThrottled(account, first, target, context);
  if (last === 'reserved') return;
  if (last.failure === undefined) throw limitError(account.counter, last.denials, context.timeMs);
  context.onCounterFailure();
  if (!context.failOpen) throw counterError(last.failure);
}

/** The outcomes of items without room. */
interface FailedAttempts {
  readonly denials: readonly Denial[];
  /** Items whose write was throttled, and so certainly not made. */
  readonly throttled: readonly CounterItem[];
  readonly failure: CounterFailure | undefined;
}

async function retryThrottled(
  account: Account,
  first: FailedAttempts,
  target: Balance,
  context: ReserveContext,
): Promise<'reserved' | FailedAttempts> {
  // A write of unknown outcome may have been made and is not repeated.
  if (first.failure?.kind !== 'throttled') return first;
  await context.clock.sleep(context.random.fraction() * MAX_RESERVE_DELAY_MS);
  const again = await tryItems(account, first.throttled, target, context);
  return again === 'reserved' ? again : { ...again, denials: [...first.denials, ...again.denials] };
}

async function tryItems(
  account: Account,
  items: readonly CounterItem[],
  target: Balance,
  context: ReserveContext,
): Promise<'reserved' | FailedAttempts> {
  const denials: Denial[] = [];
  const throttled: CounterItem[] = [];
  let failure: CounterFailure | undefined;
  for (const item of items) {
    const changes = increasesTo(account, item, target);
    if (changes.length === 0) return 'reserved';
    const outcome = await tryReserve(account, { item, changes, target }, context);
    if (outcome === 'reserved') return outcome;
    if (!(outcome instanceof CounterFailure)) {
      denials.push(outcome);
      continue;
    }
    failure = outcome;
    // The write may have been made. No account holds its amount, so trying the next shard could count it twice.
    if (outcome.kind === 'unknown') break;
    throttled.push(item);
  }
  return { denials, throttled, failure };
}

/** One conditional write to one item, skipped when the item is known to be exhausted. */
async function tryReserve(
  account: Account,
  { item, changes, target }: { item: CounterItem; changes: readonly RequestedChange[]; target: Balance },
  context: ReserveContext,
): Promise<'reserved' | Denial | CounterFailure> {
  const known = findKnownDenial(item, changes, context);
  if (known !== undefined) return known;
  const { counters, clock, timeMs, retentionMs } = context;
  const expiresAt = Math.ceil((account.counter.window.endMs + retentionMs) / 1000);
  const limited = changes.map(({ metric, taken, held, limit }) => ({ metric, taken, held, limit }));
  const request = { key: item.key, changes: limited, atMs: Math.max(clock.now(), timeMs), expiresAt };
  try {
    if (account.counter.period === undefined) {
      return await reserveLease(account, { item, changes, target, request }, context);
    }
    const outcome = await counters.reserve(request);
    if (!outcome.reserved) {
      return await classifyDenial(account, { item, changes, state: outcome.state }, context);
    }
    account.item = item;
    recordIncreases(account, changes, target);
    updateSnapshot(account, outcome.state);
    return 'reserved';
  } catch (thrown) {
    if (thrown instanceof CounterFailure) return thrown;
    throw thrown;
  }
}

/**
 * A random first shard spreads the load; the limits of all add up to the counter's (`shareOf`). Only counters of requests are sharded, and
 * a request is counted once, so that no run has amounts in two shards.
 */
function shardsFromRandomStart(
  { counter: { items } }: Account,
  { random }: ReserveContext,
): readonly CounterItem[] {
  const first = Math.floor(random.fraction() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/**
 * Restores the previous balance. A release that was throttled is repeated when the run ends; one with an unknown outcome is not, which
 * leaves the counter stricter until its window ends.
 */
async function release(
  { account, previous }: AccountReservation,
  { counters }: ReserveContext,
): Promise<void> {
  const settlement = toSettlement(account, previous);
  const { recorded } = account;
  account.recorded = previous;
  if (settlement === undefined) return;
  await counters.settle(settlement).catch((thrown: unknown) => {
    if (isThrottled(thrown)) account.recorded = recorded;
  });
}

/** `overloaded` when the counter throttles, `dependency_unavailable` when the outcome is unknown. */
function counterError(failure: CounterFailure): ServiceError {
  return new ServiceError(failure.kind === 'throttled' ? 'overloaded' : 'dependency_unavailable', {
    reason: 'the counters table failed',
    cause: failure,
  });
}
