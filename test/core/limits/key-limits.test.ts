// Limits of API keys: in which place they are asked, what they count, and what the caller is told.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import { budgetOf, caller, countOf, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

const shop = {
  authentication: 'apiKey',
  username: undefined,
  keyId: 'key1',
  sourceIp: '203.0.113.7',
} as const;
const daily = { metric: 'requests', limit: 2, period: 'day' } as const;
const monthly = { metric: 'cost', limit: 100, period: 'month' } as const;
const perUser = { metric: 'requests', scope: 'user', limit: 9, period: '1m' } as const;
const total = { metric: 'requests', scope: 'total', limit: 9, period: '1m' } as const;

function withKey(parts: Partial<LimitedRequest> = {}): LimitedRequest {
  return limited({ caller: shop, takesKeys: true, keyLimits: [daily], ...parts });
}

/** Milliseconds from 12:34:56.789 to midnight, and to the end of November. */
const TO_MIDNIGHT = 41_103_211;
const TO_DECEMBER = TO_MIDNIGHT + 9 * 86_400_000;

describe('the limits of an API key', () => {
  it('are asked after those of the neuron and before those of the organization', async () => {
    const counters = spyOnCounters();
    const usageLimits = [{ ...daily, limit: 99 }, { metric: 'concurrent', limit: 9 } as const];
    await budgetOf(withKey({ rateLimits: [total, perUser], usageLimits }), counters).admit(undefined);
    const scopes = ['user', 'total', 'key', 'organization', 'organization'];
    expect(counters.calls).toEqual(scopes.map((scope) => `reserve ${scope}`));
  });

  it('count by the id of the key, for all neurons together', async () => {
    const counters = spyOnCounters();
    await budgetOf(withKey({ neuronId: 'neu1' }), counters).admit(undefined);
    await budgetOf(withKey({ neuronId: 'neu2' }), counters).admit(undefined);
    expect(counters.reserveRequests[0]?.key).toMatch(/^key1#key#day#.{43}#2026-11-21T00:00:00Z$/);
    expect(countOf(counters.memory, 'key', 'requests')).toEqual([2, 0]);
    expect(await errorOf(budgetOf(withKey(), counters).admit(undefined))).toEqual([
      'usage_limit_exceeded',
      TO_MIDNIGHT,
    ]);
    const another = withKey({ caller: { ...shop, keyId: 'key2' } });
    expect(await errorOf(budgetOf(another, counters).admit(undefined))).toBe('none');
  });

  it('hold for the window of the request, and begin anew with the next', async () => {
    const counters = spyOnCounters();
    const admit = (timeMs: number) => errorOf(budgetOf(withKey({ timeMs }), counters).admit(undefined));
    await admit(NOW);
    await admit(NOW + TO_MIDNIGHT - 1);
    expect(await admit(NOW + TO_MIDNIGHT - 1)).toEqual(['usage_limit_exceeded', 1]);
    expect(await admit(NOW + TO_MIDNIGHT)).toBe('none');
  });

  it('count cost until the month ends', async () => {
    const counters = spyOnCounters();
    const keyLimits = [monthly];
    const spend = async (cost: number, timeMs = NOW) => {
      const budget = budgetOf(withKey({ keyLimits, timeMs }), counters);
      await budget.admit({ tokens: 1, costMicrodollars: cost });
      (await budget.reserveAttempt({ tokens: 1, costMicrodollars: cost })).settle({
        tokens: 1,
        costMicrodollars: cost,
      });
      for (const settlement of budget.close()) await counters.settle(settlement);
    };
    await spend(60);
    expect(await errorOf(spend(41))).toEqual(['usage_limit_exceeded', TO_DECEMBER]);
    await spend(40);
    expect(countOf(counters.memory, 'key', 'cost')).toEqual([100, 0]);
    expect(await errorOf(spend(100, NOW + TO_DECEMBER))).toBe('none');
  });

  it('keep the count when they change', async () => {
    const counters = spyOnCounters();
    for (let request = 0; request < 2; request += 1) await budgetOf(withKey(), counters).admit(undefined);
    const raised = withKey({ keyLimits: [{ ...daily, limit: 3 }] });
    expect(await errorOf(budgetOf(raised, counters).admit(undefined))).toBe('none');
    expect(await errorOf(budgetOf(raised, counters).admit(undefined))).toMatchObject({
      0: 'usage_limit_exceeded',
    });
  });

  it('are none for a caller without a key', async () => {
    const counters = spyOnCounters();
    await budgetOf(limited({ keyLimits: [daily], takesKeys: true }), counters).admit(undefined);
    expect(counters.calls).toEqual([]);
  });

  it('are named to the operator, and not shown to the caller', async () => {
    const counters = spyOnCounters();
    const one = withKey({ keyLimits: [{ ...daily, limit: 1 }] });
    const budget = budgetOf(one, counters);
    await budget.admit(undefined);
    expect(budget.rateLimit()).toBeUndefined();
    await expect(budgetOf(one, counters).admit(undefined)).rejects.toMatchObject({
      reason: 'the API key limit of requests per day is exhausted: asked for 1, nothing of 1 left',
    });
  });
});

describe('the last counter of a request', () => {
  const lastOf = (parts: Partial<LimitedRequest>) =>
    planCounters(limited(parts)).flatMap(({ scope, isLast }) => (isLast ? [scope] : []));
  const rateLimits = [perUser, total];

  it('is the last one of its list', () => {
    expect(lastOf({ rateLimits })).toEqual(['total']);
    expect(lastOf({ rateLimits, usageLimits: [daily] })).toEqual(['organization']);
    expect(lastOf({ rateLimits, usageLimits: [daily], takesKeys: true })).toEqual(['organization']);
    expect(lastOf({ rateLimits, caller: shop, takesKeys: true, keyLimits: [daily] })).toEqual(['key']);
  });

  it('is none of the neuron where another caller’s key may have limits', () => {
    expect(lastOf({ rateLimits, takesKeys: true })).toEqual([]);
    expect(lastOf({ rateLimits, caller: shop, takesKeys: true })).toEqual([]);
  });

  it('remembers no count from which the limit of another key may yet take a request', async () => {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const request = limited({ rateLimits: [{ ...total, limit: 1 }], takesKeys: true, caller: caller('ann') });
    await budgetOf(request, counters, context).admit(undefined);
    expect(await errorOf(budgetOf(request, counters, context).admit(undefined))).not.toBe('none');
    const { key = '' } = counters.reserveRequests[0] ?? {};
    expect(context.exhaustionCache.get('1.1', key)).toEqual({});
    await counters.settle({ key, changes: [{ metric: 'requests', taken: -1, held: 0 }] });
    expect(await errorOf(budgetOf(request, counters, context).admit(undefined))).toBe('none');
  });
});
