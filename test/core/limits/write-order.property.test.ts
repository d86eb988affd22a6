// No order in which the writes of many runs arrive, and no failing write, exceeds a limit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import type { LimitedRequest } from '../../../core/limits/plan-counters.ts';
import { CounterFailure, type CounterStore } from '../../../core/ports/counters.ts';
import { budgetOf, caller, errorOf, limited, scopeOf, spyOnCounters } from './limited.ts';

const REQUEST: Partial<LimitedRequest> = {
  rateLimits: [
    { metric: 'requests', scope: 'user', limit: 3, period: '1m' },
    { metric: 'tokens', scope: 'user', limit: 100, period: '1m' },
    { metric: 'requests', scope: 'total', limit: 6, period: '1h' },
    { metric: 'tokens', scope: 'total', limit: 220, period: '1h' },
  ],
  usageLimits: [{ metric: 'cost', limit: 400, period: 'day' }],
};

const spending = (amount: number) => ({ tokens: amount, costMicrodollars: amount });
const amounts = fc.integer({ min: 0, max: 60 });

describe('writes in any order', () => {
  const shardCounts = fc.integer({ min: 1, max: 4 });
  const faults = fc.array(fc.constantFrom('none', 'none', 'none', 'throttled', 'dropped', 'unanswered'), {
    minLength: 60,
    maxLength: 60,
  });

  /** A store whose calls complete in the order that the scheduler picks. */
  function scheduled(scheduler: fc.Scheduler, counters: CounterStore, faultsLeft: string[]): CounterStore {
    return {
      async reserve(request) {
        await scheduler.schedule(Promise.resolve());
        const fault = faultsLeft.pop() ?? 'none';
        if (fault === 'throttled') throw new CounterFailure('throttled');
        if (fault === 'dropped') throw new CounterFailure('unknown');
        const outcome = await counters.reserve(request);
        if (fault === 'unanswered') throw new CounterFailure('unknown');
        return outcome;
      },
      async settle(settlement) {
        await scheduler.schedule(Promise.resolve());
        await counters.settle(settlement);
      },
      async read(keys) {
        await scheduler.schedule(Promise.resolve());
        return counters.read(keys);
      },
    };
  }

  it('to one rule admit exactly its limit, over any number of shards', async () => {
    const limits = fc.integer({ min: 1, max: 9 });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        limits,
        shardCounts,
        fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })),
        async (scheduler, limit, shards, chance) => {
          const counters = spyOnCounters();
          const rule = { metric: 'requests', scope: 'total', limit, period: '1m' } as const;
          const context = {
            exhaustionCache: createExhaustionCache(),
            random: { fraction: () => chance.next().value as number },
          };
          const store = scheduled(scheduler, counters, []);
          const outcomes = Promise.all(
            Array.from({ length: 10 }, () =>
              errorOf(budgetOf(limited({ rateLimits: [rule], shards }), store, context).admit(undefined)),
            ),
          );
          await scheduler.waitFor(outcomes);
          expect((await outcomes).filter((outcome) => outcome === 'none')).toHaveLength(limit);
        },
      ),
    );
  });

  it('to several rules never exceed a limit, and balance except for unknown outcomes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        faults,
        fc.array(amounts, { minLength: 8, maxLength: 8 }),
        async (scheduler, faultList, wanted) => {
          const counters = spyOnCounters();
          const exhaustionCache = createExhaustionCache();
          const store = scheduled(scheduler, counters, [...faultList]);
          const runs = wanted.map(async (amount, index) => {
            const request = limited({ ...REQUEST, caller: caller(index % 2 === 0 ? 'ann' : 'bob') });
            const budget = budgetOf(request, store, { exhaustionCache });
            if ((await errorOf(budget.admit(spending(amount)))) !== 'none') return 0;
            const reservation = await budget.reserveAttempt(spending(amount + 7)).catch(() => undefined);
            reservation?.settle(spending(Math.floor(amount / 2)));
            for (const settlement of budget.close()) await store.settle(settlement);
            return 1;
          });
          const outcomes = Promise.all(runs);
          await scheduler.waitFor(outcomes);
          const admitted = (await outcomes).reduce<number>((sum, one) => sum + one, 0);
          for (const { counts } of counters.memory.states.values()) {
            expect(counts.requests?.taken ?? 0).toBeLessThanOrEqual(6);
            expect(counts.tokens?.taken ?? 0).toBeLessThanOrEqual(220);
            expect(counts.cost?.taken ?? 0).toBeLessThanOrEqual(400);
          }
          const total = [...counters.memory.states].find(([key]) => scopeOf(key) === 'total')?.[1].counts;
          expect(total?.requests?.taken ?? 0).toBeGreaterThanOrEqual(admitted);
          const isWhole = !faultList.some((fault) => fault === 'unanswered');
          if (isWhole) expect([total?.requests?.taken ?? 0, total?.tokens?.held ?? 0]).toEqual([admitted, 0]);
        },
      ),
    );
  });
});
