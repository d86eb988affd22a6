// Decides whether a failed call is tried again, and after how long.
import { NeuronError, NoAnswerError } from './error.ts';
import type { RetryOptions } from './types.ts';

/** Retry options with all defaults applied. */
export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> };

/** Applies the defaults. Throws `TypeError` for an invalid number. */
export function parseRetry(given: RetryOptions | false | undefined): RetryPolicy {
  const options = given === false ? { maxRetries: 0 } : (given ?? {});
  return {
    maxRetries: checkBound('maxRetries', options.maxRetries ?? 2),
    baseDelay: checkBound('baseDelay', options.baseDelay ?? 500),
    maxDelay: checkBound('maxDelay', options.maxDelay ?? 20_000),
    networkFailures: options.networkFailures === true,
  };
}

function checkBound(name: string, value: number): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw new TypeError(`retry.${name} must be a number of at least 0`);
}

/**
 * Milliseconds to wait before the next try; undefined when there is none. Retry-After is a lower bound; on top of it comes exponential
 * backoff with full jitter, so that clients rejected at the same time do not retry at the same time.
 */
export function delayBeforeRetry(
  error: unknown,
  retriesSoFar: number,
  policy: RetryPolicy,
): number | undefined {
  if (retriesSoFar >= policy.maxRetries || !mayRetry(error, policy)) return undefined;
  const asked = error instanceof NeuronError ? (error.retryAfter ?? 0) * 1000 : 0;
  if (asked > policy.maxDelay) return undefined;
  return asked + Math.random() * Math.min(policy.maxDelay, policy.baseDelay * 2 ** retriesSoFar);
}

function mayRetry(error: unknown, policy: RetryPolicy): boolean {
  if (error instanceof NeuronError) return error.statusCode === 429 || error.statusCode === 503;
  return policy.networkFailures && error instanceof NoAnswerError && error.reason === 'network';
}
