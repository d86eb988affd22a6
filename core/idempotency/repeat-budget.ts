// Bounds how often one idempotency key is asked for again: no limit counts repetitions.
import { createBoundedMap } from '../async/bounded-map.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { RecordKey } from '../ports/idempotency.ts';

/** Repetitions of one key in a minute, each of which reads up to all of the stored answer. */
export const MAX_REPEATS = 60;
/** Keys that are watched at once; beyond it the oldest is forgotten. */
const MAX_KEYS = 10_000;
const MINUTE_MS = 60_000;

/** The repetitions of one execution environment. Times are those of requests, in milliseconds since the Unix epoch. */
export interface RepeatBudget {
  /** Throws 429 `rate_limited` until the minute is over for a key that was asked for too often. */
  requireRoom(key: RecordKey, timeMs: number): void;
  /** Counts a request whose key was in use. */
  count(key: RecordKey, timeMs: number): void;
}

export function createRepeatBudget(maxKeys: number = MAX_KEYS): RepeatBudget {
  const repeats = createBoundedMap<{ readonly minute: number; readonly count: number }>(maxKeys);
  const countOf = (key: RecordKey, minute: number): number => {
    const known = repeats.get(key);
    return known?.minute === minute ? known.count : 0;
  };
  return {
    requireRoom(key, timeMs) {
      const minute = Math.floor(timeMs / MINUTE_MS);
      if (countOf(key, minute) < MAX_REPEATS) return;
      throw new ServiceError('rate_limited', {
        retryAfterMs: (minute + 1) * MINUTE_MS - timeMs,
        reason: `the idempotency key was sent more than ${MAX_REPEATS} times in a minute`,
      });
    },
    count(key, timeMs) {
      const minute = Math.floor(timeMs / MINUTE_MS);
      repeats.put(key, { minute, count: countOf(key, minute) + 1 });
    },
  };
}
