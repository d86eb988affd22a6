// The reason why a counter denies a reservation, and the error that the caller gets.

import { ServiceError } from '../contract/service-error.ts';
import type { Counts, LimitMetric } from '../ports/counters.ts';
import { renderCondition } from '../settings/access-schema.ts';
import { sum } from '../text/numbers.ts';
import type { RequestedChange } from './account.ts';
import type { LimitedCounter } from './plan-counters.ts';

/**
 * `exhausted`: the used amount leaves too little room until the window ends. `held`: there would be room if runs in progress released
 * their reservations.
 */
type DenialKind = 'held' | 'exhausted';

/** The denial of one item of a counter. Amounts in the metric's unit, cost in microdollars. */
export interface Denial {
  readonly kind: DenialKind;
  /** Undefined when the item could not be read. */
  readonly shortage: Shortage | undefined;
}

/** The amount that does not fit, and its limit. */
interface Shortage {
  readonly metric: LimitMetric;
  /** For an exhausted limit together with the amount that the run holds already. */
  readonly asked: number;
  /** The unused amount; for a held limit, neither used nor held. Never below 0. */
  readonly left: number;
  readonly limit: number;
}

/** The denial of an item whose state is unknown. */
export const UNREAD: Denial = { kind: 'exhausted', shortage: undefined };

/** Used amounts by metric; an absent metric is 0. */
export type UsedAmounts = Readonly<Partial<Record<LimitMetric, number>>>;

/** Reservations may be released at any moment. */
const HELD_RETRY_MS = 1_000;

/** The denial of changes that do not fit into a counter; undefined when they fit. */
export function findDenial(changes: readonly RequestedChange[], counts: Counts): Denial | undefined {
  const exhausted = findExhausted(changes, usedOf(counts));
  if (exhausted !== undefined) return exhausted;
  const takenOf = (metric: LimitMetric): number => counts[metric]?.taken ?? 0;
  const full = additionsIn(changes).find(({ metric, taken, limit }) => takenOf(metric) + taken > limit);
  if (full === undefined) return undefined;
  const { metric, taken, limit } = full;
  return { kind: 'held', shortage: { metric, asked: taken, left: leftOf(limit, takenOf(metric)), limit } };
}

/** The denial of changes that would not fit even if every other run released its reservation. */
export function findExhausted(changes: readonly RequestedChange[], used: UsedAmounts): Denial | undefined {
  const usedIn = (metric: LimitMetric): number => used[metric] ?? 0;
  const exceeding = additionsIn(changes).find(({ metric, needed, limit }) => usedIn(metric) + needed > limit);
  if (exceeding === undefined) return undefined;
  const { metric, needed, limit } = exceeding;
  return {
    kind: 'exhausted',
    shortage: { metric, asked: needed, left: leftOf(limit, usedIn(metric)), limit },
  };
}

/** More than the limit can be used when a provider reports more than was reserved. */
function leftOf(limit: number, taken: number): number {
  return Math.max(0, limit - taken);
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
 * The 429 of a counter with no room in any of its items. It tells when to retry and nothing about other callers: amounts are in the
 * reason, for the operator. An exhausted limit resets at the end of the window; counting from the time of the request is safe, since
 * the answer leaves later.
 */
export function limitError(
  { scope, when, period, window, limits }: LimitedCounter,
  denials: readonly Denial[],
  timeMs: number,
): ServiceError {
  const whose = when === undefined ? '' : ` where ${renderCondition(when)}`;
  const name = `the ${scope === 'key' ? 'API key' : scope} limit${whose}`;
  if (period === undefined) {
    const [most] = limits.map(({ limit }) => limit);
    const reason = `${name} of ${most} runs at once is reached`;
    return new ServiceError('too_many_at_once', { retryAfterMs: HELD_RETRY_MS, reason });
  }
  // One held shard is enough: it may have room before the window ends.
  const isHeld = denials.some(({ kind }) => kind === 'held');
  const isUsage = (scope === 'key' && period !== 'minute') || scope === 'organization';
  return new ServiceError(isUsage ? 'usage_limit_exceeded' : 'rate_limited', {
    retryAfterMs: isHeld ? HELD_RETRY_MS : window.endMs - timeMs,
    reason: describe(name, `per ${period}`, denials, isHeld),
  });
}

/** The limit, the requested amount and the remaining one, of all shards together. */
function describe(name: string, period: string, denials: readonly Denial[], isHeld: boolean): string {
  const shortages = denials.flatMap(({ shortage }) => shortage ?? []);
  const [first] = shortages;
  if (first === undefined) return `${name} ${period} has no room`;
  const { metric, asked } = first;
  const left = sum(shortages.map((one) => one.left));
  const limit = sum(shortages.map((one) => one.limit));
  const amount = (count: number): string => (metric === 'cost' ? `$${count / 1_000_000}` : `${count}`);
  const limitName = `${name} of ${metric} ${period}`;
  if (asked > limit)
    return `${limitName} is less than one request asked for: ${amount(asked)} of ${amount(limit)}`;
  // Other environments may have used more since the read.
  const rest = left === 0 ? 'nothing' : `at most ${amount(left)}`;
  // A limit is exhausted when nothing is left. A large request may exceed the rest of a limit that is hardly used.
  const why = isHeld ? 'held by runs in progress' : left === 0 ? 'exhausted' : 'too little for this request';
  return `${limitName} is ${why}: asked for ${amount(asked)}, ${rest} of ${amount(limit)} left`;
}
