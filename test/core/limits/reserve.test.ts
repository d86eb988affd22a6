// Admission: which counters are written and in which order, what a denied request releases, and which error it gets.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, caller, countOf, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

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

  it('makes one write per counter in order, and no read', async () => {
    const counters = spyOnCounters();
    await budgetOf(all, counters).admit(undefined);
    expect(counters.calls).toEqual(['reserve user', 'reserve ip', 'reserve total', 'reserve organization']);
  });

  it('counts the request as used, and sets the TTL to the end of the window plus the retention', async () => {
    const counters = spyOnCounters();
    await budgetOf(limited({ rateLimits: [perUser] }), counters, { retentionMs: 3_840_000 }).admit(undefined);
    expect(counters.reserveRequests).toEqual([
      {
        key: expect.stringContaining('neu1#user#1m#'),
        changes: [{ metric: 'requests', taken: 1, held: 0, limit: 2 }],
        atMs: NOW,
        expiresAt: Date.parse('2026-11-21T12:35:00Z') / 1000 + 3_840,
      },
    ]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('skips a counter when it reserves nothing from it', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 100, period: '1h' } as const;
    const counters = spyOnCounters();
    await budgetOf(limited({ rateLimits: [tokens] }), counters).admit(undefined);
    expect(counters.calls).toEqual([]);
  });
});

describe('a denied request', () => {
  it('gets the error of the first counter without room, with the time until its window ends', async () => {
    const counters = spyOnCounters();
    for (let request = 0; request < 2; request += 1) await budgetOf(all, counters).admit(undefined);
    expect(await errorOf(budgetOf(all, counters).admit(undefined))).toEqual(['rate_limited', TO_MINUTE]);
    const bob = { ...all, caller: caller('bob') };
    await budgetOf(bob, counters).admit(undefined);
    expect(await errorOf(budgetOf(bob, counters).admit(undefined))).toEqual(['rate_limited', TO_TEN_MINUTES]);
  });

  it('releases its reservations in the counters before', async () => {
    const counters = spyOnCounters();
    const full = { ...all, rateLimits: [perUser, perIp, { ...total, limit: 1 }] };
    await budgetOf({ ...full, caller: caller('bob') }, counters).admit(undefined);
    counters.calls.length = 0;
    expect(await errorOf(budgetOf({ ...full, caller: caller('ann') }, counters).admit(undefined))).toEqual([
      'rate_limited',
      TO_TEN_MINUTES,
    ]);
    expect(counters.calls).toEqual([
      'reserve user',
      'reserve ip',
      'reserve total',
      'settle user',
      'settle ip',
    ]);
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
    const denied = budgetOf(request, counters);
    await errorOf(denied.admit(undefined));
    expect(denied.close()).toEqual([]);
  });

  it('gets usage_limit_exceeded from the organization’s usage limit', async () => {
    const counters = spyOnCounters();
    const request = limited({ usageLimits: [{ ...daily, limit: 1 }] });
    await budgetOf(request, counters).admit(undefined);
    expect(await errorOf(budgetOf(request, counters).admit(undefined))).toEqual([
      'usage_limit_exceeded',
      TO_MIDNIGHT,
    ]);
  });

  it('may retry after one second when the limit is held by runs in progress, and nothing is cached', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 15, period: '1m' } as const;
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const request = limited({ rateLimits: [tokens] });
    const first = budgetOf(request, counters, context);
    await first.admit(spending);
    expect(await errorOf(budgetOf(request, counters, context).admit(spending))).toEqual([
      'rate_limited',
      1_000,
    ]);
    (await first.reserveAttempt(spending)).settle({ tokens: 5, costMicrodollars: 0 });
    for (const settlement of first.close()) await counters.settle(settlement);
    expect(context.exhaustionCache.get('1.1', counters.reserveRequests[0]?.key ?? '')).toEqual({});
    expect(await errorOf(budgetOf(request, counters, context).admit(spending))).toBe('none');
  });

  it('may retry at the end of the window when used amounts leave no room', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 15, period: '1m' } as const;
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [tokens] });
    const first = budgetOf(request, counters);
    await first.admit(spending);
    (await first.reserveAttempt(spending)).settle({ tokens: 6, costMicrodollars: 0 });
    for (const settlement of first.close()) await counters.settle(settlement);
    expect(await errorOf(budgetOf(request, counters).admit(spending))).toEqual(['rate_limited', TO_MINUTE]);
  });

  it('writes to no counter when it reserves more than the whole limit', async () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 9, period: '1m' } as const;
    const counters = spyOnCounters();
    expect(await errorOf(budgetOf(limited({ rateLimits: [tokens] }), counters).admit(spending))).toEqual([
      'rate_limited',
      TO_MINUTE,
    ]);
    expect(counters.calls).toEqual(['read user']);
    counters.calls.length = 0;
    const everyones = limited({ rateLimits: [{ ...tokens, scope: 'total' }] });
    await errorOf(budgetOf(everyones, counters).admit(spending));
    expect(counters.calls).toEqual([]);
  });

  it('gives the operator as the reason what was asked of which limit, and what it has left', async () => {
    const reasonOf = (work: Promise<unknown>) => work.catch(({ reason }) => reason);
    const tokens = { metric: 'tokens', scope: 'user', limit: 15, period: '1m' } as const;
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [tokens] });
    const first = budgetOf(request, counters);
    await first.admit(spending);
    expect(await reasonOf(budgetOf(request, counters).admit(spending))).toBe(
      'the user limit of tokens per 1m is held by runs in progress: asked for 10, at most 5 of 15 left',
    );
    for (const settlement of first.close()) await counters.settle(settlement);
    await counters.reserve({
      key: counters.reserveRequests[0]?.key ?? '',
      changes: [{ metric: 'tokens', taken: 15, held: 0, limit: 15 }],
      atMs: NOW,
      expiresAt: 0,
    });
    expect(await reasonOf(budgetOf(request, counters).admit(spending))).toBe(
      'the user limit of tokens per 1m is exhausted: asked for 10, nothing of 15 left',
    );
    counters.failWith = () => new CounterFailure('unknown');
    expect(await reasonOf(budgetOf(request, counters).admit(spending))).toBe('the counters table failed');
  });

  it.each([
    ['is too little for this request: asked for $1.2, at most $1.06 of $2.5 left', 1_200_000],
    ['is too little for this request: asked for $2.5, at most $1.06 of $2.5 left', 2_500_000],
    ['is less than one request asked for: $2.500001 of $2.5', 2_500_001],
  ])('is not called exhausted where one reservation does not fit: %s', async (why, costMicrodollars) => {
    const monthly = { metric: 'cost', limit: 2_500_000, period: 'month' } as const;
    const context = { exhaustionCache: createExhaustionCache() };
    const counters = spyOnCounters();
    const request = limited({ usageLimits: [monthly] });
    const first = budgetOf(request, counters, context);
    const used = { tokens: 1, costMicrodollars: 1_440_000 };
    await first.admit(used);
    (await first.reserveAttempt(used)).settle(used);
    for (const settlement of first.close()) await counters.settle(settlement);
    const denied = () =>
      budgetOf(request, counters, context)
        .admit({ tokens: 1, costMicrodollars })
        .catch(({ reason, code }) => [code, reason]);
    const expected = ['usage_limit_exceeded', `the organization limit of cost per month ${why}`];
    expect(await denied()).toEqual(expected);
    expect(await denied()).toEqual(expected);
    // What fits is still admitted: the limit is not used up.
    await budgetOf(request, counters, context).admit({ tokens: 1, costMicrodollars: 1_060_000 });
  });

  it('counts as held when a release made room before the read', async () => {
    const counters = spyOnCounters();
    counters.returnsStates = false;
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    const first = budgetOf(request, counters);
    await first.admit(undefined);
    const { read } = counters;
    counters.read = async (keys) => {
      const changes = [{ metric: 'requests', taken: -1, held: 0 }] as const;
      await counters.memory.settle({ key: keys[0] ?? '', changes });
      return read(keys);
    };
    expect(await errorOf(budgetOf(request, counters).admit(undefined))).toEqual(['rate_limited', 1_000]);
  });

  it('reads the counter when the store does not return its state', async () => {
    const counters = spyOnCounters();
    counters.returnsStates = false;
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    await budgetOf(request, counters).admit(undefined);
    expect(await errorOf(budgetOf(request, counters).admit(undefined))).toEqual(['rate_limited', TO_MINUTE]);
    expect(counters.calls).toEqual(['reserve user', 'reserve user', 'read user']);
  });

  it('counts as exhausted when that read fails, and nothing is cached', async () => {
    const counters = spyOnCounters();
    counters.returnsStates = false;
    counters.failWith = (call) => (call === 'read user' ? new CounterFailure('unknown') : undefined);
    const context = { exhaustionCache: createExhaustionCache() };
    const request = limited({ rateLimits: [{ ...perUser, limit: 1 }] });
    await budgetOf(request, counters, context).admit(undefined);
    for (let again = 0; again < 2; again += 1) {
      expect(await errorOf(budgetOf(request, counters, context).admit(undefined))).toEqual([
        'rate_limited',
        TO_MINUTE,
      ]);
    }
    expect(counters.reserveRequests).toHaveLength(3);
  });
});
