// Decides whether and when a failed call is retried.
import { IncompleteStreamError, NeuronError, NoAnswerError } from './error.ts';
import type { RetryOptions } from './types.ts';

/** Retry options with all defaults applied. */
export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: NonNullable<RetryOptions[Name]> };

/** Applies the defaults. Throws `TypeError` for an invalid number. */
export function parseRetry(input: RetryOptions | false | undefined): RetryPolicy {
  const options = input === false ? { maxRetries: 0 } : (input ?? {});
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
  hasKey: boolean,
): number | undefined {
  if (policy.maxRetries === 0) return undefined;
  const asked = error instanceof NeuronError ? (error.retryAfter ?? 0) * 1000 : 0;
  const jitter = Math.random() * Math.min(policy.maxDelay, policy.baseDelay * 2 ** retriesSoFar);
  // Waits for the answer of the first call until the timeout, beyond the bounds of retries.
  if (hasKey && isInProgress(error)) return Math.max(asked, 1000) + jitter;
  if (retriesSoFar >= policy.maxRetries || !mayRetry(error, policy, hasKey)) return undefined;
  return asked > policy.maxDelay ? undefined : asked + jitter;
}

/** The run of an earlier call with this idempotency key has not ended. */
export function isInProgress(error: unknown): boolean {
  return error instanceof NeuronError && error.code === 'idempotency_in_progress';
}

function mayRetry(error: unknown, policy: RetryPolicy, hasKey: boolean): boolean {
  if (error instanceof NeuronError) {
    // A proxy in between that loses an answer sends one of these.
    const lost = hasKey && error.code === undefined ? [502, 504] : [];
    return [429, 503, ...lost].includes(error.statusCode);
  }
  if (error instanceof IncompleteStreamError) return hasKey;
  return (hasKey || policy.networkFailures) && error instanceof NoAnswerError && error.reason === 'network';
}
