// The budget of a run: what each attempt writes, what the end settles, and that no token is lost or counted twice.
import { describe, expect, it } from 'vitest';
import type { Budget, Spending } from '../../../core/limits/budget.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, countOf, limited, refusalOf, type SpiedCounters, spyOnCounters } from './limited.ts';

const tokens = { metric: 'tokens', scope: 'user', limit: 1_000, period: '1m' } as const;
const cost = { metric: 'cost', scope: 'total', limit: 500, period: '1h' } as const;
const requests = { metric: 'requests', scope: 'user', limit: 9, period: '1m' } as const;
const both = limited({ rateLimits: [requests, tokens, cost] });

const spending = (amount: number, costMicrodollars: number | null = 0): Spending => ({
  tokens: amount,
  costMicrodollars,
});

async function settle(budget: Budget, counters: SpiedCounters): Promise<void> {
  for (const settlement of budget.close()) await counters.settle(settlement);
}

describe('a run of one attempt', () => {
  it('holds its reservation at admission, uses it without another write, and settles what it used', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([400, 400]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([60, 60]);
    const grant = await budget.reserveAttempt(spending(400, 60));
    grant.settle(spending(150, 20));
    await settle(budget, counters);
    expect(counters.calls).toEqual(['take user', 'take total', 'settle user', 'settle total']);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([150, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([20, 0]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('settles to the reservation when nobody says what was used', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    await budget.reserveAttempt(spending(400, 60));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([400, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([60, 0]);
  });

  it('settles to nothing when it was never made, as for an answer from the cache', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([0, 0]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('books in full, and counts, what goes beyond the reservation', async () => {
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
  ])('counts %o of 400 tokens and 60 microdollars as %i exceeded', async (spent, exceeded) => {
    const budget = budgetOf(both, spyOnCounters());
    await budget.admit(spending(400, 60));
    (await budget.reserveAttempt(spending(400, 60))).settle(spent);
    expect(budget.incidents().reservationsExceeded).toBe(exceeded);
  });

  it('books the reserved cost where the cost that was spent is unknown', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(10, null));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([60, 0]);
  });

  it('settles once, however often it is told', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400));
    const grant = await budget.reserveAttempt(spending(400));
    grant.settle(spending(100));
    grant.settle(spending(300));
    expect(budget.close()).toEqual(budget.close());
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([100, 0]);
  });

  it('has nothing to settle when it used what it reserved of a counter without holds', async () => {
    const budget = budgetOf(limited({ rateLimits: [requests] }), spyOnCounters());
    await budget.admit(undefined);
    expect(budget.close()).toEqual([]);
  });
});

describe('a later attempt', () => {
  it('after one that used nothing takes over its reservation without a write', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(900, 60));
    (await budget.reserveAttempt(spending(900, 60))).settle(spending(0));
    const retry = await budget.reserveAttempt(spending(900, 60));
    expect(counters.takes).toHaveLength(2);
    retry.settle(spending(90, 6));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([90, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([6, 0]);
  });

  it('writes only what it needs beyond what is held, and only to the counters that need it', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(300, 10));
    await budget.reserveAttempt(spending(500, 50));
    expect(counters.calls).toEqual(['take user', 'take total', 'take user']);
    expect(counters.takes.at(-1)?.changes).toEqual([
      { metric: 'tokens', taken: 400, held: 100, limit: 1_000 },
    ]);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([800, 500]);
  });

  it('of which there is no room ends in 429, and what was used stays booked', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(600));
    (await budget.reserveAttempt(spending(600))).settle(spending(600));
    expect(await refusalOf(budget.reserveAttempt(spending(401)))).toEqual(['rate_limited', 3_211]);
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([600, 0]);
    expect(countOf(counters.memory, 'user', 'requests')).toEqual([1, 0]);
  });

  it('gives back to the counters before the one that refuses it', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(100, 100));
    (await budget.reserveAttempt(spending(100, 100))).settle(spending(100, 100));
    expect(await refusalOf(budget.reserveAttempt(spending(100, 401)))).not.toBe('none');
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([100, 100]);
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([100, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([100, 0]);
  });

  it('that is refused tells nothing to counters that it did not need to ask', async () => {
    const counters = spyOnCounters();
    await budgetOf(both, counters).admit(spending(1, 450));
    const budget = budgetOf(both, counters);
    await budget.admit(spending(100, 40));
    counters.calls.length = 0;
    expect(await refusalOf(budget.reserveAttempt(spending(100, 60)))).toEqual(['rate_limited', 1_000]);
    expect(counters.calls).toEqual(['take total']);
    expect(counters.settlements).toEqual([]);
  });

  it('whose write has no known outcome leaves what it may have added, and settles what is known', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters);
    await budget.admit(spending(100));
    (await budget.reserveAttempt(spending(100))).settle(spending(40));
    const { take } = counters;
    counters.take = async (...told) => {
      await take(...told);
      throw new CounterFailure('unknown');
    };
    expect(await refusalOf(budget.reserveAttempt(spending(100)))).toEqual([
      'dependency_unavailable',
      undefined,
    ]);
    await settle(budget, counters);
    // 40 that were used, and the 40 that the second attempt asked for beside what was held.
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([80, 0]);
  });
});

describe('a reservation beside the first attempt', () => {
  it('leaves what admission set aside alone', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    await budget.admit(spending(400, 60));
    const embedding = await budget.reserve(spending(30, 1));
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([430, 430]);
    embedding.settle(spending(12, 1));
    (await budget.reserveAttempt(spending(400, 60))).settle(spending(100, 10));
    expect(counters.takes).toHaveLength(4);
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([112, 0]);
    expect(countOf(counters.memory, 'total', 'cost')).toEqual([11, 0]);
  });

  it('keeps what is settled while another is being made', async () => {
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

describe('a cost limit over a model without a price', () => {
  it('refuses with 500 and counts the request nowhere', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(both, counters);
    const refused = budget.admit(spending(1, null));
    expect(await refusalOf(refused)).toEqual(['configuration', undefined]);
    await expect(refused).rejects.toMatchObject({
      reason: 'a cost limit holds for a model without a price',
    });
    expect(counters.calls).toEqual([]);
  });

  it('refuses where the limit shares its counter with another', async () => {
    const shared = limited({ rateLimits: [tokens, { ...cost, scope: 'user', period: '1m' }] });
    const budget = budgetOf(shared, spyOnCounters());
    expect(await refusalOf(budget.admit(spending(1, null)))).toEqual(['configuration', undefined]);
  });

  it('is no matter where only tokens are limited', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters);
    await budget.admit(spending(10, null));
    (await budget.reserveAttempt(spending(10, null))).settle(spending(3, null));
    await settle(budget, counters);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([3, 0]);
  });
});

describe('what a budget limits', () => {
  it.each([
    [[requests], false],
    [[tokens], true],
    [[cost], true],
    [[requests, cost], true],
  ])('by %o is spending: %s', (rateLimits, expected) => {
    expect(budgetOf(limited({ rateLimits }), spyOnCounters()).limitsSpending).toBe(expected);
  });
});
