// What an environment caches of exhausted limits: only amounts that stay used, per settings version, and up to a maximum.
import { describe, expect, it } from 'vitest';
import { readStates } from '../../../core/limits/exhausted-limits.ts';
import { createExhaustionCache, MAX_ENTRIES } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, caller, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 1, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 50, period: '1d' } as const;
const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
const TO_HOUR = 1_503_211;
const TO_MIDNIGHT = 41_103_211;

/** Sequential requests in one execution environment. */
function environment(parts: { settingsVersion?: string } = {}) {
  const counters = spyOnCounters();
  const exhaustionCache = createExhaustionCache();
  return {
    counters,
    request: (request: Parameters<typeof budgetOf>[0], more: typeof parts = {}) =>
      errorOf(budgetOf(request, counters, { exhaustionCache, ...parts, ...more }).admit(undefined)),
  };
}

describe('an exhausted limit', () => {
  it('costs no further write until the window ends', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [perUser] });
    for (let again = 0; again < 5; again += 1) await request(one);
    expect(counters.calls).toEqual(['reserve user', 'reserve user']);
    expect(await request({ ...one, timeMs: NOW + 1_000 })).toEqual(['rate_limited', TO_HOUR - 1_000]);
    expect(await request({ ...one, timeMs: NOW + TO_HOUR })).toBe('none');
  });

  it('is cached for its subject only', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [perUser] });
    for (let again = 0; again < 3; again += 1) await request(one);
    expect(await request({ ...one, caller: caller('bob') })).toBe('none');
    expect(counters.calls).toHaveLength(3);
  });

  it('is not looked up by other settings, so a raised limit admits callers at once', async () => {
    const { request } = environment();
    const one = limited({ rateLimits: [perUser] });
    for (let again = 0; again < 3; again += 1) await request(one);
    const raised = limited({ rateLimits: [{ ...perUser, limit: 2 }] });
    expect(await request(raised, { settingsVersion: '1.2' })).toBe('none');
    expect(await request(raised, { settingsVersion: '1.2' })).toEqual(['rate_limited', TO_HOUR]);
  });

  it('is not cached while a later counter may cause a release of the requests', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [perUser, total] });
    await request(one);
    for (let again = 0; again < 3; again += 1) await request({ ...one, timeMs: NOW + 60_000 });
    expect(counters.reserveRequests).toHaveLength(2 + 3);
    await request({ ...one, timeMs: NOW + 60_001 });
    await request({ ...one, timeMs: NOW + 60_001 });
    expect(counters.reserveRequests).toHaveLength(2 + 4);
  });

  it('is cached at once for the last counter of a request', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [{ ...perUser, limit: 9 }], usageLimits: [daily] });
    for (let again = 0; again < 4; again += 1) await request(one);
    expect(counters.calls).toEqual([
      ...['reserve user', 'reserve organization'],
      ...['reserve user', 'reserve organization', 'settle user'],
      ...['read user', 'read user'],
    ]);
  });

  it('is cached at once for tokens, since used tokens are never released', async () => {
    const counters = spyOnCounters();
    const exhaustionCache = createExhaustionCache();
    const tokens = { metric: 'tokens', scope: 'user', limit: 10, period: '1h' } as const;
    const one = limited({ rateLimits: [tokens, total] });
    const admit = (amount: number) => {
      const budget = budgetOf(one, counters, { exhaustionCache });
      const estimate = { tokens: amount, costMicrodollars: 0 };
      return { budget, error: errorOf(budget.admit(estimate)), estimate };
    };
    const first = admit(8);
    await first.error;
    await first.budget.reserveAttempt(first.estimate);
    for (const settlement of first.budget.close()) await counters.settle(settlement);
    expect(await admit(3).error).toEqual(['rate_limited', TO_HOUR]);
    counters.calls.length = 0;
    expect(await admit(3).error).toEqual(['rate_limited', TO_HOUR]);
    expect(counters.calls).toEqual([]);
    expect(await admit(2).error).toBe('none');
  });
});

describe('a counter before one that is known to be exhausted', () => {
  const setUp = async (userLimit: number) => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [{ ...perUser, limit: userLimit }], usageLimits: [daily] });
    await request({ ...one, caller: caller('bob') });
    await request({ ...one, caller: caller('carol') });
    counters.calls.length = 0;
    return { counters, request, one };
  };

  it('is read and not written', async () => {
    const { counters, request, one } = await setUp(5);
    expect(await request(one)).toEqual(['usage_limit_exceeded', TO_MIDNIGHT]);
    expect(counters.calls).toEqual(['read user']);
  });

  it('decides the error when it has no room either', async () => {
    const { counters, request, one } = await setUp(1);
    expect(await request({ ...one, caller: caller('bob') })).toEqual(['rate_limited', TO_HOUR]);
    expect(await request(one)).toEqual(['usage_limit_exceeded', TO_MIDNIGHT]);
    expect(counters.reserveRequests).toHaveLength(4);
  });

  it('counts as having room when the read fails', async () => {
    const { counters, request, one } = await setUp(1);
    counters.failWith = () => new CounterFailure('unknown');
    expect(await request({ ...one, caller: caller('bob') })).toEqual(['usage_limit_exceeded', TO_MIDNIGHT]);
  });
});

describe('what is read of counters', () => {
  it('is empty for one that does not exist, and nothing when the read fails', async () => {
    const { counters } = environment();
    expect((await readStates(['a'], { counters }))('a')).toEqual({ counts: {}, atMs: 0, leases: [] });
    counters.failWith = () => new CounterFailure('unknown');
    expect((await readStates(['a'], { counters }))('a')).toBeUndefined();
  });
});

describe('the cache', () => {
  it('evicts the entry that was put first when it is full', () => {
    const exhaustionCache = createExhaustionCache(2);
    exhaustionCache.put('1.1', 'a', { requests: 1 });
    exhaustionCache.put('1.1', 'b', { requests: 2 });
    exhaustionCache.put('1.1', 'a', { requests: 3 });
    exhaustionCache.put('1.1', 'c', { requests: 4 });
    expect(['a', 'b', 'c'].map((key) => exhaustionCache.get('1.1', key))).toEqual([
      { requests: 3 },
      {},
      { requests: 4 },
    ]);
    expect(exhaustionCache.get('1.2', 'a')).toEqual({});
  });

  it('holds ten thousand counters', () => {
    const exhaustionCache = createExhaustionCache();
    for (let index = 0; index <= MAX_ENTRIES; index += 1)
      exhaustionCache.put('1.1', `${index}`, { tokens: index });
    expect(MAX_ENTRIES).toBe(10_000);
    expect(exhaustionCache.get('1.1', '0')).toEqual({});
    expect(exhaustionCache.get('1.1', '1')).toEqual({ tokens: 1 });
  });
});
