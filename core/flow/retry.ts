// Decides whether and when a failed attempt is repeated: full jitter, the provider's own Retry-After, never past the deadline.
import type { Random } from '../ports/platform.ts';
import type { ProviderFailure, ProviderFailureKind } from '../ports/providers.ts';

/** Full jitter (aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter): 0 to 250 ms · 2ⁿ, at most 4 s. */
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;

/** Time that must remain after a wait: less is too short for an answer. */
const MIN_REMAINING_MS = 1_000;

/** Failures that another attempt may avoid: not an exhausted quota, bad settings or rejected input. */
const WORTH_RETRYING: ReadonlySet<ProviderFailureKind> = new Set([
  'timeout',
  'unavailable',
  'rate_limited',
  'malformed_answer',
  'truncated',
]);

/** The state after a failed attempt. */
export interface RetryState {
  /** Retries made so far. */
  readonly retries: number;
  readonly maxRetries: number;
  readonly remainingMs: number;
  /** True when another model can be called. */
  readonly hasFallback: boolean;
}

/**
 * Milliseconds to wait before the next attempt; undefined for none. With a fallback left, a model that was silent until its timeout or
 * asks for a wait of more than 4 s is not called again.
 */
export function planRetry(
  failure: ProviderFailure,
  state: RetryState,
  random: Pick<Random, 'fraction'>,
): number | undefined {
  if (state.retries >= state.maxRetries || !WORTH_RETRYING.has(failure.kind)) return undefined;
  if (state.hasFallback && failure.wasSilent) return undefined;
  const jitterMs = random.fraction() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** state.retries);
  const waitMs = Math.ceil(Math.max(jitterMs, failure.retryAfterMs ?? 0));
  if (state.hasFallback && waitMs > MAX_WAIT_MS) return undefined;
  return waitMs <= state.remainingMs - MIN_REMAINING_MS ? waitMs : undefined;
}
