// When an attempt is made again, and after how long.
import { describe, expect, it, test } from 'vitest';
import { planRetry, type RetryState } from '../../../core/flow/call-target.ts';
import { ProviderFailure, type ProviderFailureKind } from '../../../core/ports/providers.ts';

function plan(
  kind: ProviderFailureKind,
  state: Partial<RetryState> = {},
  fraction = 1,
  retryAfterMs?: number,
) {
  const failure = new ProviderFailure(kind, retryAfterMs === undefined ? {} : { retryAfterMs });
  const whole = { retries: 0, maxRetries: 5, remainingMs: 60_000, hasFallback: false, ...state };
  return planRetry(failure, whole, { fraction: () => fraction });
}

describe('a retry', () => {
  test.each([
    [0, 250],
    [1, 500],
    [2, 1_000],
    [3, 2_000],
    [4, 4_000],
  ])('number %i waits between nothing and %i ms', (retries, most) => {
    expect(plan('unavailable', { retries }, 1)).toBe(most);
    expect(plan('unavailable', { retries }, 0.5)).toBe(most / 2);
    expect(plan('unavailable', { retries }, 0)).toBe(0);
  });

  it('never waits longer than 4 s of its own', () => {
    expect(plan('unavailable', { retries: 9, maxRetries: 10 }, 1)).toBe(4_000);
  });

  test.each<[ProviderFailureKind, boolean]>([
    ['timeout', true],
    ['unavailable', true],
    ['rate_limited', true],
    ['malformed_answer', true],
    ['truncated', true],
    ['quota_exhausted', false],
    ['configuration', false],
    ['rejected_input', false],
  ])('after %s is made: %s', (kind, expected) => {
    expect(plan(kind) !== undefined).toBe(expected);
  });

  it('is made as often as the step says and no more', () => {
    expect(plan('unavailable', { retries: 1, maxRetries: 2 })).toBeDefined();
    expect(plan('unavailable', { retries: 2, maxRetries: 2 })).toBeUndefined();
    expect(plan('unavailable', { maxRetries: 0 })).toBeUndefined();
  });

  it('waits as long as the provider asks for', () => {
    expect(plan('rate_limited', {}, 0, 7_000)).toBe(7_000);
    expect(plan('rate_limited', {}, 1, 10)).toBe(250);
  });

  it('is not made when less than a second of the deadline would be left', () => {
    expect(plan('unavailable', { remainingMs: 1_250 }, 1)).toBe(250);
    expect(plan('unavailable', { remainingMs: 1_249 }, 1)).toBeUndefined();
    expect(plan('rate_limited', {}, 0, 59_001)).toBeUndefined();
  });

  it('gives way to a fallback after silence, and where the provider wants a long rest', () => {
    expect(plan('timeout', { hasFallback: true })).toBeUndefined();
    expect(plan('rate_limited', { hasFallback: true }, 0, 4_001)).toBeUndefined();
    expect(plan('rate_limited', { hasFallback: true }, 0, 4_000)).toBe(4_000);
    expect(plan('unavailable', { hasFallback: true })).toBe(250);
    expect(plan('truncated', { hasFallback: true })).toBe(250);
    const stalled = new ProviderFailure('truncated', { wasSilent: true });
    const state = { retries: 0, maxRetries: 1, remainingMs: 60_000 };
    const random = { fraction: () => 1 };
    expect(planRetry(stalled, { ...state, hasFallback: true }, random)).toBeUndefined();
    expect(planRetry(stalled, { ...state, hasFallback: false }, random)).toBe(250);
  });
});
