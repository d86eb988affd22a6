// Bounds how often one idempotency key is asked for again: no limit counts repetitions.
import { createMinuteBudget } from '../async/minute-budget.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { RecordKey } from '../ports/idempotency.ts';

/** Repetitions of one key in a minute, each of which reads up to all of the stored answer. */
export const MAX_REPEATS = 60;

/** The repetitions of one execution environment. Times are those of requests, in milliseconds since the Unix epoch. */
export interface RepeatBudget {
  /** Throws 429 `rate_limited` until the minute is over for a key that was asked for too often. */
  requireRoom(key: RecordKey, timeMs: number): void;
  /** Counts a request whose key was in use. */
  count(key: RecordKey, timeMs: number): void;
}

export function createRepeatBudget(maxKeys?: number): RepeatBudget {
  const repeats = createMinuteBudget(MAX_REPEATS, maxKeys);
  return {
    requireRoom(key, timeMs) {
      const retryAfterMs = repeats.retryAfterMs(key, timeMs);
      if (retryAfterMs === 0) return;
      throw new ServiceError('rate_limited', {
        retryAfterMs,
        reason: `the idempotency key was sent more than ${MAX_REPEATS} times in a minute`,
      });
    },
    count: (key, timeMs) => repeats.add(key, timeMs, 1),
  };
}
