// A write whose answer is lost was made or not. Whatever of it is true, a run leaves no less in a counter than it used.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, countOf, limited, settle, spending, spyOnCounters } from './limited.ts';

const tokens = { metric: 'tokens', scope: 'user', limit: 1_000_000, period: '1m' } as const;
const cost = { metric: 'cost', scope: 'user', limit: 1_000_000, period: '1m' } as const;
/** Denies attempts at times, so that what the first counter gave is released. */
const small = { metric: 'tokens', scope: 'total', limit: 150, period: '1m' } as const;
/** What others hold of the first counter: a run that takes off too much takes it from them. */
const OTHERS = 10_000;

const outcomes = fc.constantFrom('answered', 'answered', 'made, unknown', 'not made, unknown');
const attempts = fc.array(
  fc.record({
    tokens: fc.nat(100),
    cost: fc.nat(100),
    /** Shares of the estimate. */
    spent: fc.record({
      tokens: fc.double({ min: 0, max: 1, noNaN: true }),
      cost: fc.constantFrom(0, 0.5, 1),
    }),
    outcomes: fc.array(outcomes, { minLength: 2, maxLength: 2 }),
    settleOutcome: outcomes,
  }),
  { minLength: 1, maxLength: 5 },
);

it.each([
  ['', false],
  [', with whenCountersFail: admit', true],
])('never less than was used%s', async (_how, failOpen) => {
  await fc.assert(
    fc.asyncProperty(attempts, fc.boolean(), async (made, hasSmall) => {
      const counters = spyOnCounters();
      const other = budgetOf(limited({ rateLimits: [tokens, cost] }), counters);
      await other.admit(spending(OTHERS, OTHERS));
      const rules = [tokens, cost, ...(hasSmall ? [small] : [])];
      const budget = budgetOf(limited({ rateLimits: rules }), counters, { failOpen });
      const used = { tokens: 0, cost: 0 };
      let next: readonly string[] = [];
      const memory = { reserve: counters.reserve, settle: counters.settle };
      const lose = <Request, Outcome>(write: (request: Request) => Promise<Outcome>) => {
        return async (request: Request): Promise<Outcome> => {
          const [outcome = 'answered', ...rest] = next;
          next = rest;
          if (outcome === 'not made, unknown') throw new CounterFailure('unknown');
          const answer = await write(request);
          if (outcome === 'answered') return answer;
          throw new CounterFailure('unknown');
        };
      };
      Object.assign(counters, { reserve: lose(memory.reserve), settle: lose(memory.settle) });
      await budget.admit(spending(made[0]?.tokens ?? 0, made[0]?.cost)).catch(() => undefined);
      for (const attempt of made) {
        next = [...attempt.outcomes, attempt.settleOutcome];
        const estimate = spending(attempt.tokens, attempt.cost);
        const reservation = await budget.reserveAttempt(estimate).catch(() => undefined);
        next = [];
        if (reservation === undefined) break;
        const spent = {
          tokens: Math.floor(attempt.tokens * attempt.spent.tokens),
          cost: Math.floor(attempt.cost * attempt.spent.cost),
        };
        reservation.settle(spending(spent.tokens, spent.cost));
        used.tokens += spent.tokens;
        used.cost += spent.cost;
      }
      Object.assign(counters, memory);
      await settle(budget, counters);
      const left = {
        tokens: countOf(counters.memory, 'user', 'tokens')[0] - OTHERS,
        cost: countOf(counters.memory, 'user', 'cost')[0] - OTHERS,
      };
      // Admitted without its counter, a run is counted by its settlement as far as it goes.
      expect(left.tokens).toBeGreaterThanOrEqual(used.tokens);
      expect(left.cost).toBeGreaterThanOrEqual(used.cost);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) },
  );
});
