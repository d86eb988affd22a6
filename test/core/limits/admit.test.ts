// Admission: which counters are written, in which order, what comes back when one refuses or fails, and what callers hear.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, caller, countOf, limited, NOW, refusalOf, spyOnCounters } from './limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 2, period: '1m' } as const;
const perIp = { metric: 'requests', scope: 'ip', limit: 100, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 3, period: '10m' } as const;
const daily = { metric: 'requests', limit: 4, period: 'day' } as const;
const all = limited({ rateLimits: [perUser, perIp, total], usageLimits: [daily] });
const spending = { tokens: 10, costMicrodollars: 0 };

/** Milliseconds from 12:34:56.789 to the ends of windows. */
const TO_MINUTE = 3_211;
const TO_TEN_MINUTES = 303_211;
const TO_MIDNIGHT = 41_103_211;

describe('an admission', () => {
  it('writes nothing where nothing is limited', async () => {
    const counters = spyOnCounters();
    await budgetOf(limited(), counters).admit(undefined);
    expect(counters.calls).toEqual([]);
  });

  it('is one write per counter, in turn, and nothing is read', async () => {
    const counters = spyOnCounters();
    await budgetOf(all, counters).admit(undefined);
    expect(counters.calls).toEqual(['take user', 'take ip', 'take total', 'take organization']);
  });

  it('counts the request as used, and keeps counters for an hour and the longest run after their window', async () => {
    const counters = spyOnCounters();
    await budgetOf(limited({ rateLimits: [perUser] }), counters, { keepMs: 3_840_000 }).admit(undefined);
    expect(counters.takes).toEqual([
      {
        key: expect.stringContaining('neu1#user#1m#'),
        changes: [{ metric: 'requests', taken: 1, held: 0, limit: 2 }],
        atMs: NOW,
        expiresAt: Date.parse('2026-11-21T12:35:00Z') / 1000 + 3_840,
      },
    ]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('does not ask a counter of which nothing is wanted', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 100, period: '1h' } as const;
    const counters = spyOnCounters();
    await budgetOf(limited({ rateLimits: [tokens] }), counters).admit(undefined);
    expect(counters.calls).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is of the first counter that is exceeded, and says when its window ends', async () => {
    const counters = spyOnCounters();
    for (let request = 0; request < 2; request += 1) await budgetOf(all, counters).admit(undefined);
    expect(await refusalOf(budgetOf(all, counters).admit(undefined))).toEqual(['rate_limited', TO_MINUTE]);
    const bob = { ...all, caller: caller('bob') };
    await budgetOf(bob, counters).admit(undefined);
    expect(await refusalOf(budgetOf(bob, counters).admit(undefined))).toEqual([
      'rate_limited',
      TO_TEN_MINUTES,
    ]);
  });

  it('gives back what the counters before it gave', async () => {
    const counters = spyOnCounters();
    const full = { ...all, rateLimits: [perUser, perIp, { ...total, limit: 1 }] };
    await budgetOf({ ...full, caller: caller('bob') }, counters).admit(undefined);
    counters.calls.length = 0;
    expect(await refusalOf(budgetOf({ ...full, caller: caller('ann') }, counters).admit(undefined))).toEqual([
      'rate_limited',
      TO_TEN_MINUTES,
    ]);
    expect(counters.calls).toEqual(['take user', 'take ip', 'take total', 'settle user', 'settle ip']);
    expect(countOf(counters.memory, 'ip', 'requests')).toEqual([1, 0]);
    expect(countOf(counters.memory, 'total', 'requests')).toEqual([1, 0]);
    expect(counters.settlements.map(({ changes }) => changes)).toEqual([
      [{ metric: 'requests', taken: -1, held: 0 }],
      [{ metric: 'requests', taken: -1, held: 0 }],
    ]);
  });

  it('leaves nothing to settle', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, { ...total, limit: 1 }] });
    await budgetOf(request, counters).admit(undefined);
    const refused = budgetOf(request, counters);
    await refusalOf(refused.admit(undefined));
    expect(refused.close()).toEqual([]);
  });

  it('by the organization’s usage limit has its own code', async () => {
    const counters = spyOnCounters();
    const request = limited({ usageLimits: [{ ...daily, limit: 1 }] });
    await budgetOf(request, counters).admit(undefined);
    expect(await refusalOf(budgetOf(request, counters).admit(undefined))).toEqual([
      'usage_limit_exceeded',
      TO_MIDNIGHT,
    ]);
  });

  it('because of what is only held ends after a second, and is not remembered', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 15, period: '1m' } as const;
    const counters = spyOnCounters();
    const context = { known: createExhaustionCache() };
    const request = limited({ rateLimits: [tokens] });
    const first = budgetOf(request, counters, context);
    await first.admit(spending);
    expect(await refusalOf(budgetOf(request, counters, context).admit(spending))).toEqual([
      'rate_limited',
      1_000,
    ]);
    (await first.reserveAttempt(spending)).settle({ tokens: 5, costMicrodollars: 0 });
    for (const settlement of first.close()) await counters.settle(settlement);
    expect(context.known.get('1.1', counters.takes[0]?.key ?? '')).toEqual({});
    expect(await refusalOf(budgetOf(request, counters, context).admit(spending))).toBe('none');
  });

  it('because of what is used beside what is held ends with the window', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 15, period: '1m' } as const;
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [tokens] });
    const first = budgetOf(request, counters);
    await first.admit(spending);
    (await first.reserveAttempt(spending)).settle({ tokens: 6, costMicrodollars: 0 });
    for (const settlement of first.close()) await counters.settle(settlement);
    expect(await refusalOf(budgetOf(request, counters).admit(spending))).toEqual(['rate_limited', TO_MINUTE]);
  });

  it('of more than the whole limit writes no counter', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 9, period: '1m' } as const;
    const counters = spyOnCounters();
    expect(await refusalOf(budgetOf(limited({ rateLimits: [tokens] }), counters).admit(spending))).toEqual([
      'rate_limited',
      TO_MINUTE,
    ]);
    expect(counters.calls).toEqual(['read user']);
    counters.calls.length = 0;
    const everyones = limited({ rateLimits: [{ ...tokens, scope: 'total' }] });
    await refusalOf(budgetOf(everyones, counters).admit(spending));
    expect(counters.calls).toEqual([]);
  });

  it('says for the operator which limit it was, and whether that was used or only held', async () => {
    const reasonOf = (work: Promise<unknown>) => work.catch(({ reason }) => reason);
    const tokens = { metric: 'tokens', scope: 'user', limit: 15, period: '1m' } as const;
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [tokens] });
    const first = budgetOf(request, counters);
    await first.admit(spending);
    expect(await reasonOf(budgetOf(request, counters).admit(spending))).toBe('the user limit per 1m is held');
    for (const settlement of first.close()) await counters.settle(settlement);
    await counters.take({
      key: counters.takes[0]?.key ?? '',
      changes: [{ metric: 'tokens', taken: 15, held: 0, limit: 15 }],
      atMs: NOW,
      expiresAt: 0,
    });
    expect(await reasonOf(budgetOf(request, counters).admit(spending))).toBe(
      'the user limit per 1m is used up',
    );
    counters.failWith = () => new CounterFailure('unknown');
    expect(await reasonOf(budgetOf(request, counters).admit(spending))).toBe('the counters table failed');
  });

  it('of which room came while it was looked at was held', async () => {
    const counters = spyOnCounters();
    counters.explains = false;
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    const first = budgetOf(request, counters);
    await first.admit(undefined);
    const { read } = counters;
    counters.read = async (keys) => {
      const changes = [{ metric: 'requests', taken: -1, held: 0 }] as const;
      await counters.memory.settle({ key: keys[0] ?? '', changes });
      return read(keys);
    };
    expect(await refusalOf(budgetOf(request, counters).admit(undefined))).toEqual(['rate_limited', 1_000]);
  });

  it('reads what stood in the way where the store does not hand it out', async () => {
    const counters = spyOnCounters();
    counters.explains = false;
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    await budgetOf(request, counters).admit(undefined);
    expect(await refusalOf(budgetOf(request, counters).admit(undefined))).toEqual([
      'rate_limited',
      TO_MINUTE,
    ]);
    expect(counters.calls).toEqual(['take user', 'take user', 'read user']);
  });

  it('counts as used where that cannot be read, and is not remembered', async () => {
    const counters = spyOnCounters();
    counters.explains = false;
    counters.failWith = (call) => (call === 'read user' ? new CounterFailure('unknown') : undefined);
    const context = { known: createExhaustionCache() };
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    await budgetOf(request, counters, context).admit(undefined);
    for (let again = 0; again < 2; again += 1) {
      expect(await refusalOf(budgetOf(request, counters, context).admit(undefined))).toEqual([
        'rate_limited',
        TO_MINUTE,
      ]);
    }
    expect(counters.takes).toHaveLength(3);
  });
});

describe('a counter that fails', () => {
  const failing = (kind: 'throttled' | 'unknown') => {
    const counters = spyOnCounters();
    counters.failWith = (call) => (call === 'take total' ? new CounterFailure(kind) : undefined);
    return counters;
  };

  it.each([
    ['throttled', 'overloaded'],
    ['unknown', 'dependency_unavailable'],
  ] as const)('because it is %s answers 503 %s, and the counters before it get back', async (kind, code) => {
    const counters = failing(kind);
    const budget = budgetOf(all, counters);
    expect(await refusalOf(budget.admit(undefined))).toEqual([code, undefined]);
    expect(counters.calls).toEqual(['take user', 'take ip', 'take total', 'settle user', 'settle ip']);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([0, 0]);
    expect(budget.close()).toEqual([]);
    expect(budget.incidents()).toEqual({ reservationsExceeded: 0, countersUnavailable: 1 });
  });

  it.each(['throttled', 'unknown'] as const)(
    'because it is %s is gone on without where the neuron says so',
    async (kind) => {
      const counters = failing(kind);
      const budget = budgetOf(all, counters, { admitsUncounted: true });
      await budget.admit(undefined);
      expect(counters.calls).toEqual(['take user', 'take ip', 'take total', 'take organization']);
      expect(budget.incidents().countersUnavailable).toBe(1);
    },
  );

  it('with an unknown outcome keeps what it may have been told, beside what was used', async () => {
    const tokens = { metric: 'tokens', scope: 'total', limit: 100, period: '10m' } as const;
    const counters = spyOnCounters();
    const { take } = counters;
    counters.take = async (...told) => {
      await take(...told);
      throw new CounterFailure('unknown');
    };
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters, { admitsUncounted: true });
    await budget.admit(spending);
    (await budget.reserveAttempt({ tokens: 10, costMicrodollars: 0 })).settle({ ...spending, tokens: 4 });
    for (const settlement of budget.close()) await counters.settle(settlement);
    // 10 and 10 that were held without an answer, and 4 that were used.
    expect(countOf(counters.memory, 'total', 'tokens')).toEqual([24, 20]);
  });

  it('that throttles is told what was used when it settles', async () => {
    const counters = failing('throttled');
    const budget = budgetOf(limited({ rateLimits: [total] }), counters, { admitsUncounted: true });
    await budget.admit(undefined);
    expect(budget.close()).toEqual([
      { key: expect.stringContaining('#total#'), changes: [{ metric: 'requests', taken: 1, held: 0 }] },
    ]);
  });

  it('while it is given back stays stricter, and the caller hears of the refusal', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, { ...total, limit: 1 }] });
    await budgetOf({ ...request, caller: caller('bob') }, counters).admit(undefined);
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('unknown') : undefined);
    const budget = budgetOf(request, counters);
    expect(await refusalOf(budget.admit(undefined))).toEqual(['rate_limited', TO_TEN_MINUTES]);
    expect(counters.calls.filter((call) => call.startsWith('settle'))).toEqual(['settle user']);
    expect(budget.close()).toEqual([]);
  });

  it('that throttles while it is given back is told at the end of the run', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, { ...total, limit: 1 }] });
    await budgetOf({ ...request, caller: caller('bob') }, counters).admit(undefined);
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('throttled') : undefined);
    const budget = budgetOf(request, counters);
    expect(await refusalOf(budget.admit(undefined))).toEqual(['rate_limited', TO_TEN_MINUTES]);
    expect(budget.close()).toEqual([
      { key: expect.stringContaining('#user#'), changes: [{ metric: 'requests', taken: -1, held: 0 }] },
    ]);
  });

  it('by a defect is no failure of a store, and is not hidden', async () => {
    const counters = spyOnCounters();
    counters.take = () => Promise.reject(new TypeError('a defect'));
    const budget = budgetOf(limited({ rateLimits: [perUser] }), counters, { admitsUncounted: true });
    await expect(budget.admit(undefined)).rejects.toThrow('a defect');
  });
});
