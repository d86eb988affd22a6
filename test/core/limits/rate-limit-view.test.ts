// Which limit callers see: of their own, the one with the smallest fraction remaining, and nothing about other callers.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import type { LimitedRequest } from '../../../core/limits/plan-counters.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, type ContextParts, errorOf, limited, spyOnCounters } from './limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 10, period: '1m' } as const;
const perIp = { metric: 'requests', scope: 'ip', limit: 4, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 1, period: '1h' } as const;
const tokens = { metric: 'tokens', scope: 'user', limit: 1_000, period: '1m' } as const;
const spending = (amount: number) => ({ tokens: amount, costMicrodollars: 0 });

async function viewAfter(rateLimits: LimitedRequest['rateLimits'], parts: ContextParts = {}) {
  const budget = budgetOf(limited({ rateLimits }), spyOnCounters(), parts);
  await errorOf(budget.admit(spending(100)));
  return budget.rateLimit();
}

describe('the limit that is shown', () => {
  it('has its name, window, limit and remaining amount', async () => {
    expect(await viewAfter([perUser])).toEqual({
      name: 'user-requests-1m',
      metric: 'requests',
      limit: 10,
      windowMs: 60_000,
      remaining: 9,
      resetMs: 3_211,
    });
  });

  it('is the one with the smallest fraction remaining, the first of equal ones', async () => {
    expect((await viewAfter([perUser, perIp]))?.name).toBe('ip-requests-1h');
    expect((await viewAfter([perIp, perUser]))?.name).toBe('ip-requests-1h');
    expect((await viewAfter([{ ...perUser, limit: 4 }, perIp]))?.name).toBe('user-requests-1m');
    // 90 of 1,000 tokens remain, and 3 of 4 requests.
    const budget = budgetOf(limited({ rateLimits: [tokens, perIp] }), spyOnCounters());
    await budget.admit(spending(910));
    await budget.reserveAttempt(spending(910));
    expect(budget.rateLimit()).toMatchObject({ name: 'user-tokens-1m', remaining: 90 });
  });

  it('is none when only total, organization or cost limits apply', async () => {
    const cost = { metric: 'cost', scope: 'user', limit: 10, period: '1m' } as const;
    expect(await viewAfter([total, cost])).toBeUndefined();
    const dear = budgetOf(limited({ rateLimits: [cost] }), spyOnCounters());
    await dear.admit({ tokens: 1, costMicrodollars: 4 });
    expect(dear.rateLimit()).toBeUndefined();
    expect(await viewAfter([])).toBeUndefined();
    const daily = limited({ usageLimits: [{ metric: 'requests', limit: 9, period: 'day' }] });
    const budget = budgetOf(daily, spyOnCounters());
    await budget.admit(undefined);
    expect(budget.rateLimit()).toBeUndefined();
  });

  it('counts tokens as they will be after settlement', async () => {
    const budget = budgetOf(limited({ rateLimits: [tokens] }), spyOnCounters());
    await budget.admit(spending(400));
    expect(budget.rateLimit()?.remaining).toBe(1_000);
    const reservation = await budget.reserveAttempt(spending(400));
    expect(budget.rateLimit()?.remaining).toBe(600);
    reservation.settle(spending(150));
    expect(budget.rateLimit()).toMatchObject({ name: 'user-tokens-1m', metric: 'tokens', remaining: 850 });
  });

  it('subtracts what other runs hold', async () => {
    const counters = spyOnCounters();
    await budgetOf(limited({ rateLimits: [tokens] }), counters).admit(spending(300));
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters);
    await budget.admit(spending(200));
    await budget.reserveAttempt(spending(200));
    expect(budget.rateLimit()?.remaining).toBe(500);
  });

  it('never has a negative remaining amount', async () => {
    const budget = budgetOf(limited({ rateLimits: [tokens] }), spyOnCounters());
    await budget.admit(spending(400));
    (await budget.reserveAttempt(spending(400))).settle(spending(1_001));
    expect(budget.rateLimit()?.remaining).toBe(0);
  });

  it('is shown with a 429, from the denied write or from the cache', async () => {
    const counters = spyOnCounters();
    const exhaustionCache = createExhaustionCache();
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    const views = [];
    for (let again = 0; again < 3; again += 1) {
      const budget = budgetOf(request, counters, { exhaustionCache });
      await errorOf(budget.admit(undefined));
      views.push(budget.rateLimit()?.remaining);
    }
    expect(views).toEqual([0, 0, 0]);
    expect(counters.reserveRequests).toHaveLength(2);
  });

  it('is shown after one read when the reservation exceeds the whole limit', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [{ ...perUser, limit: 100 }, tokens] });
    const view = async () => {
      const budget = budgetOf(request, counters);
      expect(await errorOf(budget.admit(spending(1_001)))).toEqual(['rate_limited', 3_211]);
      return budget.rateLimit();
    };
    expect(await view()).toMatchObject({ name: 'user-requests-1m', limit: 100, remaining: 100 });
    await budgetOf(request, counters).admit(spending(400));
    counters.calls.length = 0;
    expect(await view()).toMatchObject({ name: 'user-tokens-1m', limit: 1_000, remaining: 600 });
    expect(counters.calls).toEqual(['read user']);
    counters.failWith = () => new CounterFailure('unknown');
    expect(await view()).toBeUndefined();
  });

  it('is one of the counters that answered, when one failed and the neuron fails open', async () => {
    const counters = spyOnCounters();
    counters.failWith = (call) => (call === 'reserve user' ? new CounterFailure('unknown') : undefined);
    const budget = budgetOf(limited({ rateLimits: [perUser, perIp] }), counters, { failOpen: true });
    await budget.admit(undefined);
    expect(budget.rateLimit()).toMatchObject({ name: 'ip-requests-1h', remaining: 3 });
  });

  it('comes from a read when the organization’s limit is known to be exhausted', async () => {
    const counters = spyOnCounters();
    const exhaustionCache = createExhaustionCache();
    const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
    const request = limited({ rateLimits: [perUser], usageLimits: [daily] });
    const views = [];
    for (let again = 0; again < 3; again += 1) {
      const budget = budgetOf(request, counters, { exhaustionCache });
      await errorOf(budget.admit(undefined));
      views.push(budget.rateLimit()?.remaining);
    }
    expect(views).toEqual([9, 9, 9]);
    expect(counters.calls.at(-1)).toBe('read user');
  });

  it('does not count a request that a total limit denies', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, total] });
    await budgetOf(request, counters).admit(undefined);
    const denied = budgetOf(request, counters);
    await errorOf(denied.admit(undefined));
    expect(denied.rateLimit()).toMatchObject({ name: 'user-requests-1m', remaining: 9 });
  });
});
