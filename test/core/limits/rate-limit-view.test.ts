// What callers may know of their limits: the smallest share left of their own, and nothing about anyone else's.
import { describe, expect, it } from 'vitest';
import { createKnownUse } from '../../../core/limits/known-use.ts';
import type { LimitedRequest } from '../../../core/limits/plan-counters.ts';
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
  });

  it('is none where only everyone’s, the organization’s or cost limits hold', async () => {
    const cost = { metric: 'cost', scope: 'user', limit: 10, period: '1m' } as const;
    expect(await viewAfter([total, cost])).toBeUndefined();
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
    const known = createKnownUse();
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

  it('of a caller that everyone’s limit refuses is as before the request', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, total] });
    await budgetOf(request, counters).admit(undefined);
    const refused = budgetOf(request, counters);
    await refusalOf(refused.admit(undefined));
    expect(refused.rateLimit()).toMatchObject({ name: 'user-requests-1m', remaining: 9 });
  });
});
