// Why a counter denies a reservation, and the error that the caller gets.
import { ServiceError } from '../contract/service-error.ts';
import type { Counts, LimitMetric } from '../ports/counters.ts';
import type { RequestedChange } from './account.ts';
import type { LimitedCounter } from './plan-counters.ts';

/**
 * `exhausted`: what is used leaves no room, so the limit stays exhausted until its window ends. `held`: there would be room if runs
 * in progress released their reservations.
 */
export type Denial = 'held' | 'exhausted';

type RoomCheck = 'room' | Denial;

/** Used amounts by metric; an absent metric is 0. */
export type UsedAmounts = Readonly<Partial<Record<LimitMetric, number>>>;

/** Reservations may be released at any moment. */
const HELD_RETRY_MS = 1_000;

/** Whether the changes fit into a counter, and otherwise why not. */
export function checkRoom(changes: readonly RequestedChange[], counts: Counts): RoomCheck {
  if (isExhausted(changes, usedOf(counts))) return 'exhausted';
  const isFull = additionsIn(changes).some(
    ({ metric, taken, limit }) => (counts[metric]?.taken ?? 0) + taken > limit,
  );
  return isFull ? 'held' : 'room';
}

/** True when the changes would not fit even if every other run released its reservation. */
export function isExhausted(changes: readonly RequestedChange[], used: UsedAmounts): boolean {
  return additionsIn(changes).some(({ metric, needed, limit }) => (used[metric] ?? 0) + needed > limit);
}

/** Only additions need room. */
function additionsIn(changes: readonly RequestedChange[]): readonly RequestedChange[] {
  return changes.filter(({ taken }) => taken > 0);
}

/** The used amount of every metric that has a count. */
export function usedOf(counts: Counts): UsedAmounts {
  return Object.fromEntries(
    Object.entries(counts).map(([metric, { taken, held }]) => [metric, taken - held]),
  );
}

/**
 * The 429 of a counter with no room in any of its items. It says when to retry and nothing about other callers' use. An exhausted limit resets
 * at the end of the window; counting from the time of the request is safe, since the answer leaves later.
 */
export function limitError(
  { scope, period, window }: LimitedCounter,
  results: readonly RoomCheck[],
  timeMs: number,
): ServiceError {
  // One held shard is enough: it may have room before the window ends.
  const isHeld = results.includes('held');
  return new ServiceError(scope === 'organization' ? 'usage_limit_exceeded' : 'rate_limited', {
    retryAfterMs: isHeld ? HELD_RETRY_MS : window.endMs - timeMs,
    reason: `the ${scope} limit per ${period} is ${isHeld ? 'held by runs in progress' : 'exhausted'}`,
  });
}
