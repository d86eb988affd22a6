// A limit of tokens or cost that is known to leave less than any run spends rejects before anything of a request is read or reserved.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { budgetOf, countOf, errorOf, limited, settle, spending, spyOnCounters } from './limited.ts';

describe('a limit of tokens or cost that is known to leave less than any run spends', () => {
  const tokens = { metric: 'tokens', scope: 'user', limit: 1_000, period: '1m' } as const;
  const cost = { metric: 'cost', scope: 'total', limit: 1_000, period: '1m' } as const;

  /** A run used 900 of 1,000, and another one that needs more was denied. */
  async function usedUp(rule: typeof tokens | typeof cost) {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const open = () => budgetOf(limited({ rateLimits: [rule] }), counters, context);
    const first = open();
    await first.admit(spending(900, 900));
    (await first.reserveAttempt(spending(900, 900))).settle(spending(900, 900));
    await settle(first, counters);
    const known = await errorOf(open().admit(spending(500, 500)));
    expect(known).toEqual(['rate_limited', 3_211]);
    return { open, counters };
  }

  it.each([
    [tokens, spending(101, 0)],
    [cost, spending(0, 101)],
  ])('rejects before anything is reserved: %o', async (rule, least) => {
    const { open, counters } = await usedUp(rule);
    const writes = counters.reserveRequests.length;
    expect(await errorOf(open().rejectExhausted(least))).toEqual(['rate_limited', 3_211]);
    expect(counters.reserveRequests).toHaveLength(writes);
  });

  it.each([
    [tokens, spending(100, 1_000)],
    [cost, spending(1_000, 100)],
  ])('lets pass what may fit: %o', async (rule, least) => {
    const { open } = await usedUp(rule);
    expect(await errorOf(open().rejectExhausted(least))).toBe('none');
    expect(await errorOf(open().rejectExhausted(undefined))).toBe('none');
    expect(await errorOf(open().admit(least))).toBe('none');
  });

  it('holds nothing of it for the run', async () => {
    const { open, counters } = await usedUp(tokens);
    const next = open();
    await next.rejectExhausted(spending(100));
    expect(next.close()).toEqual([]);
    await next.admit(spending(60));
    (await next.reserveAttempt(spending(60))).settle(spending(60));
    await settle(next, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([960, 0]);
  });
});
