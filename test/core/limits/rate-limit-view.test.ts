// What callers may know of their limits: the smallest share left of their own, and nothing about anyone else's.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import type { LimitedRequest } from '../../../core/limits/plan-counters.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, type ContextParts, limited, refusalOf, spyOnCounters } from './limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 10, period: '1m' } as const;
const perIp = { metric: 'requests', scope: 'ip', limit: 4, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 1, period: '1h' } as const;
const tokens = { metric: 'tokens', scope: 'user', limit: 1_000, period: '1m' } as const;
const spending = (amount: number) => ({ tokens: amount, costMicrodollars: 0 });

async function viewAfter(rateLimits: LimitedRequest['rateLimits'], parts: ContextParts = {}) {
  const budget = budgetOf(limited({ rateLimits }), spyOnCounters(), parts);
  await refusalOf(budget.admit(spending(100)));
  return budget.rateLimit();
}

describe('the limit that is shown', () => {
  it('has its name, its window and what is left of it', async () => {
    expect(await viewAfter([perUser])).toEqual({
      name: 'user-requests-1m',
      metric: 'requests',
      limit: 10,
      windowMs: 60_000,
      remaining: 9,
      resetMs: 3_211,
    });
  });

  it('is the one with the smallest share left, the first of equal ones', async () => {
    expect((await viewAfter([perUser, perIp]))?.name).toBe('ip-requests-1h');
    expect((await viewAfter([perIp, perUser]))?.name).toBe('ip-requests-1h');
    expect((await viewAfter([{ ...perUser, limit: 4 }, perIp]))?.name).toBe('user-requests-1m');
    // 90 of 1,000 tokens are left, and 3 of 4 requests.
    const budget = budgetOf(limited({ rateLimits: [tokens, perIp] }), spyOnCounters());
    await budget.admit(spending(910));
    await budget.reserveAttempt(spending(910));
    expect(budget.rateLimit()).toMatchObject({ name: 'user-tokens-1m', remaining: 90 });
  });

  it('is none where only everyone’s, the organization’s or cost limits hold', async () => {
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

  it('counts tokens as they will be once the run is settled', async () => {
    const budget = budgetOf(limited({ rateLimits: [tokens] }), spyOnCounters());
    await budget.admit(spending(400));
    expect(budget.rateLimit()?.remaining).toBe(1_000);
    const grant = await budget.reserveAttempt(spending(400));
    expect(budget.rateLimit()?.remaining).toBe(600);
    grant.settle(spending(150));
    expect(budget.rateLimit()).toMatchObject({ name: 'user-tokens-1m', metric: 'tokens', remaining: 850 });
  });

  it('counts what others hold', async () => {
    const counters = spyOnCounters();
    await budgetOf(limited({ rateLimits: [tokens] }), counters).admit(spending(300));
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters);
    await budget.admit(spending(200));
    await budget.reserveAttempt(spending(200));
    expect(budget.rateLimit()?.remaining).toBe(500);
  });

  it('never goes below nothing', async () => {
    const budget = budgetOf(limited({ rateLimits: [tokens] }), spyOnCounters());
    await budget.admit(spending(400));
    (await budget.reserveAttempt(spending(400))).settle(spending(1_001));
    expect(budget.rateLimit()?.remaining).toBe(0);
  });

  it('is there for a caller that is refused, by what it saw or by memory', async () => {
    const counters = spyOnCounters();
    const known = createExhaustionCache();
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    const views = [];
    for (let again = 0; again < 3; again += 1) {
      const budget = budgetOf(request, counters, { known });
      await refusalOf(budget.admit(undefined));
      views.push(budget.rateLimit()?.remaining);
    }
    expect(views).toEqual([0, 0, 0]);
    expect(counters.takes).toHaveLength(2);
  });

  it('is there for a caller that wants more than its whole limit, by one read', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [{ ...perUser, limit: 100 }, tokens] });
    const view = async () => {
      const budget = budgetOf(request, counters);
      expect(await refusalOf(budget.admit(spending(1_001)))).toEqual(['rate_limited', 3_211]);
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

  it('is of the counters that answered, where one failed and the neuron goes on without it', async () => {
    const counters = spyOnCounters();
    counters.failWith = (call) => (call === 'take user' ? new CounterFailure('unknown') : undefined);
    const budget = budgetOf(limited({ rateLimits: [perUser, perIp] }), counters, { admitsUncounted: true });
    await budget.admit(undefined);
    expect(budget.rateLimit()).toMatchObject({ name: 'ip-requests-1h', remaining: 3 });
  });

  it('is as it was read where the organization is known to refuse', async () => {
    const counters = spyOnCounters();
    const known = createExhaustionCache();
    const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
    const request = limited({ rateLimits: [perUser], usageLimits: [daily] });
    const views = [];
    for (let again = 0; again < 3; again += 1) {
      const budget = budgetOf(request, counters, { known });
      await refusalOf(budget.admit(undefined));
      views.push(budget.rateLimit()?.remaining);
    }
    expect(views).toEqual([9, 9, 9]);
    expect(counters.calls.at(-1)).toBe('read user');
  });

  it('of a caller that everyone’s limit refuses is as before the request', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, total] });
    await budgetOf(request, counters).admit(undefined);
    const refused = budgetOf(request, counters);
    await refusalOf(refused.admit(undefined));
    expect(refused.rateLimit()).toMatchObject({ name: 'user-requests-1m', remaining: 9 });
  });
});
