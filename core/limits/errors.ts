// What a caller hears of limits: how long the block lasts and nothing about anyone else's use.
import { ServiceError } from '../contract/service-error.ts';
import type { CounterFailure } from '../ports/counters.ts';
import type { LimitedCounter } from './plan-counters.ts';
import type { Verdict } from './verdict.ts';

/** What is held may be free again at any moment. */
const HELD_RETRY_MS = 1_000;

/**
 * 429. What is used ends with the window, counted from the request's own time: the answer leaves later, so whoever waits that long
 * from then on comes after the end.
 */
export function limitError(
  { scope, period, window }: LimitedCounter,
  verdicts: readonly Verdict[],
  timeMs: number,
): ServiceError {
  // One shard that is only held is enough: room may come before the window ends.
  const verdict = verdicts.includes('held') ? 'held' : 'used';
  return new ServiceError(scope === 'organization' ? 'usage_limit_exceeded' : 'rate_limited', {
    retryAfterMs: verdict === 'held' ? HELD_RETRY_MS : window.endMs - timeMs,
    reason: `the ${scope} limit per ${period} is ${verdict === 'held' ? 'held' : 'used up'}`,
  });
}

/** 503: a counter that throttles is busy, one that gives no answer is gone. */
export function counterError(failure: CounterFailure): ServiceError {
  return new ServiceError(failure.kind === 'throttled' ? 'overloaded' : 'dependency_unavailable', {
    reason: 'the counters table failed',
    cause: failure,
  });
}
