// The RateLimit headers, as draft-ietf-httpapi-ratelimit-headers-10 writes them, and the answers that carry them.
import { describe, expect, it } from 'vitest';
import { rateLimitHeaders } from '../../../core/surfaces/headers.ts';
import { renderAnswer } from '../../../core/surfaces/native/answer.ts';
import { renderError } from '../../../core/surfaces/native/errors.ts';
import type { RateLimitView } from '../../../core/surfaces/surface.ts';

const view: RateLimitView = {
  name: 'user-requests-1m',
  metric: 'requests',
  limit: 20,
  windowMs: 60_000,
  remaining: 7,
  resetMs: 12_001,
};

describe('the RateLimit headers', () => {
  it('name the quota and its window, what remains and the seconds until it resets', () => {
    expect(rateLimitHeaders(view)).toEqual({
      'RateLimit-Policy': '"user-requests-1m";q=20;w=60',
      RateLimit: '"user-requests-1m";r=7;t=13',
    });
  });

  it('name the unit where it is not requests', () => {
    const tokens = { ...view, name: 'ip-tokens-1d', metric: 'tokens', windowMs: 86_400_000 } as const;
    expect(rateLimitHeaders(tokens)['RateLimit-Policy']).toBe('"ip-tokens-1d";q=20;w=86400;qu="tokens"');
  });

  it('count whole seconds, at least one, as Retry-After does', () => {
    const reset = (resetMs: number) => rateLimitHeaders({ ...view, resetMs })['RateLimit'];
    expect(reset(0)).toBe('"user-requests-1m";r=7;t=1');
    expect(reset(1_000)).toBe('"user-requests-1m";r=7;t=1');
    expect(reset(1_001)).toBe('"user-requests-1m";r=7;t=2');
  });

  it('are none without a limit to show', () => {
    expect(rateLimitHeaders(undefined)).toEqual({});
  });

  it('are on runs and on 429, and on no other answer', () => {
    const run = { output: 'x', executionStopped: false, cache: 'off' } as const;
    const names = (headers: Readonly<Record<string, string>>) =>
      Object.keys(headers).filter((name) => name.startsWith('RateLimit'));
    const both = ['RateLimit-Policy', 'RateLimit'];
    expect(names(renderAnswer(run, { executionId: 'e', rawOutput: false, rateLimit: view }).headers)).toEqual(
      both,
    );
    expect(names(renderAnswer(run, { executionId: 'e', rawOutput: false }).headers)).toEqual([]);
    expect(names(renderError('rate_limited', { rateLimit: view }).headers)).toEqual(both);
    expect(names(renderError('usage_limit_exceeded', { rateLimit: view }).headers)).toEqual(both);
    expect(names(renderError('overloaded', { rateLimit: view }).headers)).toEqual([]);
    expect(names(renderError('internal', { rateLimit: view }).headers)).toEqual([]);
  });
});
