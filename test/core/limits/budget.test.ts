// The budget of a run: what each attempt writes, what the end of the run settles, and that no token is lost or counted twice.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, countOf, errorOf, limited, settle, spending, spyOnCounters } from './limited.ts';

const tokens = { metric: 'tokens', scope: 'user', limit: 1_000, period: '1m' } as const;
const cost = { metric: 'cost', scope: 'total', limit: 500, period: '1h' } as const;
const requests = { metric: 'requests', scope: 'user', limit: 9, period: '1m' } as const;
const both = limited({ rateLimits: [requests, tokens, cost] });

describe('a run of one attempt', () => {
  it('reserves at admission, needs no other write for the attempt, and settles to what it used', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([400, 400]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([60, 60]);
    const reservation = await budget.reserveAttempt(spending(400, 60));
    reservation.settle(spending(150, 20));
    await settle(budget, counters);
    expect(counters.calls).toEqual(['reserve user', 'reserve total', 'settle user', 'settle total']);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([150, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([20, 0]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('settles to the whole reservation when its use stays unknown', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    await budget.reserveAttempt(spending(400, 60));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([400, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([60, 0]);
  });

  it('settles to 0 when no attempt was made, as for a cached answer', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([0, 0]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('counts use above the reservation in full, and reports it', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(1_500, 60));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([1_500, 0]);
    expect(budget.incidents()).toEqual({ reservationsExceeded: 1, countersUnavailable: 0 });
  });

  it.each([
    [spending(400, 61), 1],
    [spending(401, 0), 1],
    [spending(400, 60), 0],
    [spending(399, null), 0],
  ])(
    'reports use of %o with 400 tokens and 60 microdollars reserved as %i exceeded',
    async (spent, exceeded) => {
      const budget = budgetOf(both, spyOnCounters());
      await budget.admit(spending(400, 60));
      (await budget.reserveAttempt(spending(400, 60))).settle(spent);
      expect(budget.incidents().reservationsExceeded).toBe(exceeded);
    },
  );

  it('counts the reserved cost when the spent cost is unknown', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(10, null));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([60, 0]);
  });

  it('settles a reservation only once', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400));
    const reservation = await budget.reserveAttempt(spending(400));
    reservation.settle(spending(100));
    reservation.settle(spending(300));
    expect(budget.close()).toEqual(budget.close());
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([100, 0]);
  });

  it('has nothing to settle when only requests are limited', async () => {
    const budget = budgetOf(limited({ rateLimits: [requests] }), spyOnCounters());
    await budget.admit(undefined);
    expect(budget.close()).toEqual([]);
  });
});

describe('a limit of requests that is known to be used up', () => {
  const one = { ...requests, limit: 1 };

  it('rejects before anything is reserved, as its reservation would', async () => {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const open = () => budgetOf(limited({ rateLimits: [one] }), counters, context);
    const first = open();
    expect(await errorOf(first.rejectExhausted(undefined))).toBe('none');
    await first.admit(undefined);
    // Nobody knows yet.
    expect(await errorOf(open().rejectExhausted(undefined))).toBe('none');
    const denied = await errorOf(open().admit(undefined));
    const writes = counters.reserveRequests.length;
    const next = open();
    expect(await errorOf(next.rejectExhausted(undefined))).toEqual(denied);
    expect(denied).toEqual(['rate_limited', expect.any(Number)]);
    expect(counters.reserveRequests).toHaveLength(writes);
    expect(next.close()).toEqual([]);
  });
});

describe('a later attempt', () => {
  it('takes over the reservation of one that used nothing, without a write', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(900, 60));
    (await budget.reserveAttempt(spending(900, 60))).settle(spending(0));
    const retry = await budget.reserveAttempt(spending(900, 60));
    expect(counters.reserveRequests).toHaveLength(2);
    retry.settle(spending(90, 6));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([90, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([6, 0]);
  });

  it('reserves only what exceeds the held amount, and only in the counters that need it', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(300, 10));
    await budget.reserveAttempt(spending(500, 50));
    expect(counters.calls).toEqual(['reserve user', 'reserve total', 'reserve user']);
    expect(counters.reserveRequests.at(-1)?.changes).toEqual([
      { metric: 'tokens', taken: 400, held: 100, limit: 1_000 },
    ]);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([800, 500]);
  });

  it('without room gets 429, and earlier use stays counted', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(600));
    (await budget.reserveAttempt(spending(600))).settle(spending(600));
    expect(await errorOf(budget.reserveAttempt(spending(401)))).toEqual(['rate_limited', 3_211]);
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([600, 0]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('is released in the counters before the one that denies it', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(100, 100));
    (await budget.reserveAttempt(spending(100, 100))).settle(spending(100, 100));
    expect(await errorOf(budget.reserveAttempt(spending(100, 401)))).not.toBe('none');
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([100, 100]);
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([100, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([100, 0]);
  });

  it('that is denied writes nothing to counters that needed no write', async () => {
    const counters = spyOnCounters();
    await budgetOf(both, counters).admit(spending(1, 450));
    const budget = budgetOf(both, counters);
    await budget.admit(spending(100, 40));
    counters.calls.length = 0;
    expect(await errorOf(budget.reserveAttempt(spending(100, 60)))).toEqual(['rate_limited', 1_000]);
    expect(counters.calls).toEqual(['reserve total']);
    expect(counters.settlements).toEqual([]);
  });

  it('with an unknown write outcome leaves what may have been added, and settles the rest', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters);
    await budget.admit(spending(100));
    (await budget.reserveAttempt(spending(100))).settle(spending(40));
    const { reserve } = counters;
    counters.reserve = async (...args) => {
      await reserve(...args);
      throw new CounterFailure('unknown');
    };
    expect(await errorOf(budget.reserveAttempt(spending(100)))).toEqual([
      'dependency_unavailable',
      undefined,
    ]);
    await settle(budget, counters);
    // 40 that were used, and the 40 that the second attempt reserved in addition to the held amount.
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([80, 0]);
  });
});

describe('a reservation in addition to the first attempt’s', () => {
  it('does not use what admission reserved', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    const embedding = await budget.reserve(spending(30, 1));
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([430, 430]);
    embedding.settle(spending(12, 1));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(100, 10));
    expect(counters.reserveRequests).toHaveLength(4);
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([112, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([11, 0]);
  });

  it('can be settled while another one is being made', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(undefined);
    const embedding = await budget.reserve(spending(30));
    const attempt = budget.reserveAttempt(spending(400));
    embedding.settle(spending(12));
    (await attempt).settle(spending(100));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([112, 0]);
  });
});

describe('a cost limit on a model without a price', () => {
  it('causes 500, and the request is not counted', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    const denied = budget.admit(spending(1, null));
    expect(await errorOf(denied)).toEqual(['configuration', undefined]);
    await expect(denied).rejects.toMatchObject({
      reason: 'a cost limit applies to a model without a price',
    });
    expect(counters.calls).toEqual([]);
  });

  it('causes 500 when it shares its counter with another limit', async () => {
    const shared = limited({ rateLimits: [tokens, { ...cost, scope: 'user', period: '1m' }] });
    const budget = budgetOf(shared, spyOnCounters());
    expect(await errorOf(budget.admit(spending(1, null)))).toEqual(['configuration', undefined]);
  });

  it('causes no error when only tokens are limited', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters);
    await budget.admit(spending(10, null));
    (await budget.reserveAttempt(spending(10, null))).settle(spending(3, null));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([3, 0]);
  });
});

describe('limitsSpending', () => {
  it.each([
    [[requests], false],
    [[tokens], true],
    [[cost], true],
    [[requests, cost], true],
  ])('for rules %o is %s', (rateLimits, expected) => {
    expect(budgetOf(limited({ rateLimits }), spyOnCounters()).limitsSpending).toBe(expected);
  });
});
