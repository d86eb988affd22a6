// What an environment remembers of refusals: only what is certain, only for these settings, and never without bound.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache, MAX_KNOWN } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, caller, limited, NOW, refusalOf, spyOnCounters } from './limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 1, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 50, period: '1d' } as const;
const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
const TO_HOUR = 1_503_211;
const TO_MIDNIGHT = 41_103_211;

/** Requests one after the other in one environment. */
function environment(parts: { settingsVersion?: string } = {}) {
  const counters = spyOnCounters();
  const known = createExhaustionCache();
  return {
    counters,
    request: (request: Parameters<typeof budgetOf>[0], more: typeof parts = {}) =>
      refusalOf(budgetOf(request, counters, { known, ...parts, ...more }).admit(undefined)),
  };
}

describe('a refusal because of what is used', () => {
  it('costs the next callers no write until the window ends', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [perUser] });
    for (let again = 0; again < 5; again += 1) await request(one);
    expect(counters.calls).toEqual(['take user', 'take user']);
    expect(await request({ ...one, timeMs: NOW + 1_000 })).toEqual(['rate_limited', TO_HOUR - 1_000]);
    expect(await request({ ...one, timeMs: NOW + TO_HOUR })).toBe('none');
  });

  it('is of its subject alone', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [perUser] });
    for (let again = 0; again < 3; again += 1) await request(one);
    expect(await request({ ...one, caller: caller('bob') })).toBe('none');
    expect(counters.calls).toHaveLength(3);
  });

  it('is forgotten with the settings: a raised limit lets callers in at once', async () => {
    const { request } = environment();
    const one = limited({ rateLimits: [perUser] });
    for (let again = 0; again < 3; again += 1) await request(one);
    const raised = limited({ rateLimits: [{ ...perUser, limit: 2 }] });
    expect(await request(raised, { settingsVersion: '1.2' })).toBe('none');
    expect(await request(raised, { settingsVersion: '1.2' })).toEqual(['rate_limited', TO_HOUR]);
  });

  it('is not remembered of requests that another counter may still give back', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [perUser, total] });
    await request(one);
    for (let again = 0; again < 3; again += 1) await request({ ...one, timeMs: NOW + 60_000 });
    expect(counters.takes).toHaveLength(2 + 3);
    await request({ ...one, timeMs: NOW + 60_001 });
    await request({ ...one, timeMs: NOW + 60_001 });
    expect(counters.takes).toHaveLength(2 + 4);
  });

  it('is remembered at once of the last counter, with which every admission is made', async () => {
    const { counters, request } = environment();
    const one = limited({ rateLimits: [{ ...perUser, limit: 9 }], usageLimits: [daily] });
    for (let again = 0; again < 4; again += 1) await request(one);
    expect(counters.calls).toEqual([
      ...['take user', 'take organization'],
      ...['take user', 'take organization', 'settle user'],
      ...['read user', 'read user'],
    ]);
  });

  it('is remembered of tokens at once, since what is used of them is never given back', async () => {
    const counters = spyOnCounters();
    const known = createExhaustionCache();
    const tokens = { metric: 'tokens', scope: 'user', limit: 10, period: '1h' } as const;
    const one = limited({ rateLimits: [tokens, total] });
    const admit = (amount: number) => {
      const budget = budgetOf(one, counters, { known });
      const most = { tokens: amount, costMicrodollars: 0 };
      return { budget, refusal: refusalOf(budget.admit(most)), most };
    };
    const first = admit(8);
    await first.refusal;
    await first.budget.reserveAttempt(first.most);
    for (const settlement of first.budget.close()) await counters.settle(settlement);
    expect(await admit(3).refusal).toEqual(['rate_limited', TO_HOUR]);
    counters.calls.length = 0;
    expect(await admit(3).refusal).toEqual(['rate_limited', TO_HOUR]);
    expect(counters.calls).toEqual([]);
    expect(await admit(2).refusal).toBe('none');
  });
});

describe('a counter before the one that is known to refuse', () => {
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

  it('is reported when it refuses too, since it comes first', async () => {
    const { counters, request, one } = await setUp(1);
    expect(await request({ ...one, caller: caller('bob') })).toEqual(['rate_limited', TO_HOUR]);
    expect(await request(one)).toEqual(['usage_limit_exceeded', TO_MIDNIGHT]);
    expect(counters.takes).toHaveLength(4);
  });

  it('counts as having room when it cannot be read', async () => {
    const { counters, request, one } = await setUp(1);
    counters.failWith = () => new CounterFailure('unknown');
    expect(await request({ ...one, caller: caller('bob') })).toEqual(['usage_limit_exceeded', TO_MIDNIGHT]);
  });
});

describe('the memory', () => {
  it('forgets what it has kept longest when it is full', () => {
    const known = createExhaustionCache(2);
    known.remember('1.1', 'a', { requests: 1 });
    known.remember('1.1', 'b', { requests: 2 });
    known.remember('1.1', 'a', { requests: 3 });
    known.remember('1.1', 'c', { requests: 4 });
    expect(['a', 'b', 'c'].map((key) => known.get('1.1', key))).toEqual([
      { requests: 3 },
      {},
      { requests: 4 },
    ]);
    expect(known.get('1.2', 'a')).toEqual({});
  });

  it('keeps ten thousand counters', () => {
    const known = createExhaustionCache();
    for (let index = 0; index <= MAX_KNOWN; index += 1) known.remember('1.1', `${index}`, { tokens: index });
    expect(MAX_KNOWN).toBe(10_000);
    expect(known.get('1.1', '0')).toEqual({});
    expect(known.get('1.1', '1')).toEqual({ tokens: 1 });
  });
});
