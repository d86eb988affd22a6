// What a request is told whose key is held, and what is kept for the next one.
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode, statusOf } from '../../../core/contract/error-codes.ts';
import {
  isRepeatable,
  renderReplay,
  requireAnswered,
  toStoredAnswer,
} from '../../../core/idempotency/decide.ts';
import type { RecordState, StoredAnswer } from '../../../core/ports/idempotency.ts';

const NOW_MS = 1_795_264_200_123;
const ANSWER: StoredAnswer = {
  ...{ status: 200, headers: { 'X-Cache': 'off' }, body: '{}' },
  ...{ executionId: 'exec-1', executionStopped: false },
};
const running = (forMs: number, leftMs: number): RecordState => ({
  kind: 'running',
  ...{ atMs: NOW_MS - forMs, leaseEndsAtMs: NOW_MS + leftMs },
});
const answered: RecordState = { kind: 'answered', answer: ANSWER };
const own = { atMs: NOW_MS };
const thrownBy = (held: RecordState) => {
  try {
    return requireAnswered(held, own);
  } catch (error) {
    return error;
  }
};

describe('a key that is held', () => {
  it('gives its answer to the same request', () => {
    expect(requireAnswered(answered, own)).toBe(ANSWER);
  });

  it('gives nothing to another request', () => {
    expect(() => requireAnswered({ kind: 'mismatched' }, own)).toThrow('idempotency_mismatch');
  });

  it.each([
    // As long as it has been running, within its lease and half a minute; a clock may differ.
    [5_000, 60_000, 5_000],
    [50_000, 60_000, 30_000],
    [20_000, 3_000, 3_000],
    [-4_000, 60_000, -4_000],
  ])('by a run of %d ms, with %d ms to go, asks for %d ms', (forMs, leftMs, retryAfterMs) => {
    expect(thrownBy(running(forMs, leftMs))).toMatchObject({ code: 'idempotency_in_progress', retryAfterMs });
  });
});

describe('an answer', () => {
  it('is kept for a run and for a refusal of the input, and for nothing that may pass', () => {
    expect(isRepeatable(undefined)).toBe(true);
    // Contract by status: runs and refusals of the input, and neither 401, 403, 429 nor 5xx.
    const statuses = (Object.keys(ERROR_CODES) as ErrorCode[]).filter(isRepeatable).map(statusOf);
    expect([...new Set(statuses)]).toEqual([422]);
    expect(isRepeatable('invalid_input')).toBe(true);
    expect(isRepeatable('provider_rejected_input')).toBe(true);
  });

  it('is kept whole but for what was left of limits then', () => {
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Tokens-Input': '1',
      'RateLimit-Policy': '"requests";q=10;w=60',
      RateLimit: '"requests";r=9;t=7',
    };
    const origin = { executionId: 'exec-1', code: undefined, executionStopped: true };
    expect(toStoredAnswer({ status: 200, headers, body: 'Hi' }, origin)).toEqual({
      ...{ status: 200, body: 'Hi', ...origin },
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Tokens-Input': '1' },
    });
  });

  it('is marked when it is given again', () => {
    expect(renderReplay(ANSWER)).toEqual({
      ...{ status: 200, body: '{}' },
      headers: { 'X-Cache': 'off', 'Idempotency-Replayed': 'true' },
    });
  });
});
