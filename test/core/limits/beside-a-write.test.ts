// A run whose reservation is still being written: nothing is reserved beside it, and nothing of it is taken off twice.
import { describe, expect, it } from 'vitest';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, countOf, errorOf, limited, settle, spending, spyOnCounters } from './limited.ts';

const tokens = { metric: 'tokens', scope: 'user', limit: 1_000, period: '1m' } as const;
const cost = { metric: 'cost', scope: 'user', limit: 500, period: '1m' } as const;

describe('a reservation that is still being written', () => {
  const shared = limited({ rateLimits: [tokens, cost] });

  /** A run that is writing its second reservation: more tokens and less cost than it holds. The write is made, its answer not yet there. */
  async function beside() {
    const counters = spyOnCounters();
    const budget = budgetOf(shared, counters);
    await budget.admit(spending(100, 50));
    (await budget.reserveAttempt(spending(100, 50))).settle(spending(100, 10));
    const answered = Promise.withResolvers<void>();
    const { reserve } = counters;
    counters.reserve = async (...args) => {
      const outcome = await reserve(...args);
      await answered.promise;
      return outcome;
    };
    const attempt = budget.reserveAttempt(spending(200, 5));
    await expect.poll(() => countOf(counters.memory, 'user', 'tokens')).toEqual([300, 200]);
    return { counters, budget, attempt, answer: answered.resolve };
  }

  it('is the only one', async () => {
    const { budget, attempt, answer } = await beside();
    await expect(budget.reserve(spending(1))).rejects.toThrow('under way');
    await expect(budget.admit(undefined)).rejects.toThrow('under way');
    answer();
    await attempt;
    await expect(budget.reserve(spending(1))).resolves.toBeDefined();
  });

  it('stays held where the run ends beside it: nothing is taken off twice', async () => {
    const { counters, budget, attempt, answer } = await beside();
    await settle(budget, counters);
    answer();
    await attempt;
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([300, 200]);
    expect(countOf(counters.memory, 'user', 'cost')).toEqual([50, 50]);
  });

  it('that failed leaves the next one free', async () => {
    const counters = spyOnCounters();
    const budget = budgetOf(shared, counters);
    counters.failWith = () => new CounterFailure('unknown');
    expect(await errorOf(budget.admit(spending(1, 1)))).not.toBe('none');
    counters.failWith = () => undefined;
    await expect(budget.admit(spending(1, 1))).resolves.toBeUndefined();
  });
});
