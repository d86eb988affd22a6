// When a limit has no room, what its error says, and what an environment caches of limits that are exhausted.
import { describe, expect, it } from 'vitest';
import type { RequestedChange } from '../../../core/limits/account.ts';
import { findDenial, findExhausted, limitError, UNREAD, usedOf } from '../../../core/limits/denial.ts';
import { readStates } from '../../../core/limits/exhausted-limits.ts';
import { createExhaustionCache, MAX_ENTRIES } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure, type Counts } from '../../../core/ports/counters.ts';
import { budgetOf, caller, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

/** Adds `taken` to a limit of 100 for a run that holds `ownHeld` already. */
const adding = (
  taken: number,
  ownHeld = 0,
  metric: RequestedChange['metric'] = 'tokens',
): RequestedChange => ({
  metric,
  taken,
  held: taken,
  limit: 100,
  needed: taken + ownHeld,
});

const checkRoom = (changes: readonly RequestedChange[], counts: Counts) =>
  findDenial(changes, counts)?.kind ?? 'room';

const isExhausted = (...input: Parameters<typeof findExhausted>) => findExhausted(...input) !== undefined;

describe('the room check', () => {
  it.each([
    ['the last unit', 10, { taken: 90, held: 0 }, 'room'],
    ['one unit more than used amounts leave', 11, { taken: 90, held: 0 }, 'exhausted'],
    ['one unit more than is left while one unit is held', 11, { taken: 90, held: 1 }, 'held'],
    ['the whole limit while all of it is held', 100, { taken: 100, held: 100 }, 'held'],
    ['the whole limit while one unit is used', 100, { taken: 100, held: 99 }, 'exhausted'],
    ['the whole of an unused limit', 100, { taken: 0, held: 0 }, 'room'],
    ['more than the limit', 101, { taken: 0, held: 0 }, 'exhausted'],
    ['nothing when all is used', 0, { taken: 100, held: 0 }, 'room'],
    ['a release when more than the limit is used', -5, { taken: 120, held: 0 }, 'room'],
  ] as const)('decides on %s', (_what, taken, count, expected) => {
    expect(checkRoom([adding(taken)], { tokens: count })).toBe(expected);
  });

  it('finds room for committing a held amount, even above the limit', () => {
    const settled = { metric: 'tokens', taken: 0, held: -40, limit: 100, needed: 0 } as const;
    expect(checkRoom([settled], { tokens: { taken: 120, held: 40 } })).toBe('room');
    expect(isExhausted([settled], { tokens: 120 })).toBe(false);
  });

  it('treats a metric without a count as 0', () => {
    expect(checkRoom([adding(100)], {})).toBe('room');
    expect(checkRoom([adding(101)], {})).toBe('exhausted');
  });

  it('reports exhausted when only the run’s own held amount could make room', () => {
    const counts = { tokens: { taken: 95, held: 50 } };
    expect(checkRoom([adding(10, 50)], counts)).toBe('exhausted');
    expect(checkRoom([adding(10, 45)], counts)).toBe('held');
  });

  it('reports exhausted as soon as one metric is exhausted', () => {
    const changes = [adding(1, 0, 'requests'), adding(10)];
    const held = { taken: 95, held: 95 };
    expect(checkRoom(changes, { requests: { taken: 100, held: 0 }, tokens: held })).toBe('exhausted');
    expect(checkRoom(changes, { requests: { taken: 99, held: 0 }, tokens: held })).toBe('held');
    expect(checkRoom(changes, { requests: { taken: 99, held: 0 } })).toBe('room');
  });
});

describe('what is short', () => {
  it('is the metric that does not fit, what was asked of it, and what is not used', () => {
    const changes = [adding(1, 0, 'requests'), adding(60, 20)];
    expect(findDenial(changes, { tokens: { taken: 50, held: 20 } })).toEqual({
      kind: 'exhausted',
      shortage: { metric: 'tokens', asked: 80, left: 70, limit: 100 },
    });
  });

  it('of a held limit is the addition, and what is neither used nor held', () => {
    expect(findDenial([adding(60, 20)], { tokens: { taken: 70, held: 60 } })).toEqual({
      kind: 'held',
      shortage: { metric: 'tokens', asked: 60, left: 30, limit: 100 },
    });
  });

  it('is never less than nothing', () => {
    const nothing = { metric: 'tokens', asked: 1, left: 0, limit: 100 };
    expect(findExhausted([adding(1)], { tokens: 130 })?.shortage).toEqual(nothing);
    expect(findDenial([adding(1)], { tokens: { taken: 130, held: 90 } })?.shortage).toEqual(nothing);
  });
});

describe('used amounts', () => {
  it('are taken minus held, for each metric with a count', () => {
    const counts = { requests: { taken: 3, held: 0 }, cost: { taken: 9, held: 4 } };
    expect(usedOf(counts)).toEqual({ requests: 3, cost: 5 });
  });

  it('exhaust a limit from the first unit that does not fit', () => {
    expect(isExhausted([adding(10)], { tokens: 90 })).toBe(false);
    expect(isExhausted([adding(10)], { tokens: 91 })).toBe(true);
    expect(isExhausted([adding(10)], { requests: 91 })).toBe(false);
    expect(isExhausted([], { tokens: 1_000 })).toBe(false);
  });
});

describe('the error of a limit', () => {
  const counter = {
    scope: 'total',
    period: '1d',
    window: { startMs: 0, endMs: 86_400_000 },
    limits: [],
    items: [],
    isLast: true,
  } as const;
  const held = findDenial([adding(11)], { tokens: { taken: 90, held: 1 } });
  const exhausted = findDenial([adding(11)], { tokens: { taken: 90, held: 0 } });

  it('asks to come back soon where a single shard is only held', () => {
    expect(limitError(counter, [exhausted!, held!], 0)).toMatchObject({ retryAfterMs: 1_000 });
    expect(limitError(counter, [exhausted!, exhausted!], 0)).toMatchObject({ retryAfterMs: 86_400_000 });
  });

  it('is final and says no amounts where no item could be read', () => {
    expect(UNREAD.kind).toBe('exhausted');
    expect(limitError(counter, [UNREAD], 400_000)).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 86_000_000,
      reason: 'the total limit per 1d has no room',
    });
  });
});

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
    for (let again = 0; again < 3; again += 1) await request({ ...one, timeMs: NOW + 120_000 });
    expect(counters.reserveRequests).toHaveLength(2 + 3);
    await request({ ...one, timeMs: NOW + 120_001 });
    await request({ ...one, timeMs: NOW + 120_001 });
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
