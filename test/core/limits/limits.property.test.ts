// No sequence of runs exceeds a limit or loses a reservation: compared with a simple model of what each run used.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Budget, Reservation } from '../../../core/limits/budget.ts';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import type { LimitedRequest } from '../../../core/limits/plan-counters.ts';
import type { CounterStore } from '../../../core/ports/counters.ts';
import { budgetOf, caller, errorOf, limited, NOW, scopeOf, spyOnCounters } from './limited.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** One rule in the model. */
const RULES = [
  { metric: 'requests', scope: 'user', limit: 3, lengthMs: MINUTE },
  { metric: 'tokens', scope: 'user', limit: 100, lengthMs: MINUTE },
  { metric: 'requests', scope: 'total', limit: 6, lengthMs: HOUR },
  { metric: 'tokens', scope: 'total', limit: 220, lengthMs: HOUR },
  { metric: 'cost', scope: 'organization', limit: 400, lengthMs: 24 * HOUR },
] as const;

const REQUEST: Partial<LimitedRequest> = {
  rateLimits: [
    { metric: 'requests', scope: 'user', limit: 3, period: '1m' },
    { metric: 'tokens', scope: 'user', limit: 100, period: '1m' },
    { metric: 'requests', scope: 'total', limit: 6, period: '1h' },
    { metric: 'tokens', scope: 'total', limit: 220, period: '1h' },
  ],
  usageLimits: [{ metric: 'cost', limit: 400, period: 'day' }],
};

/** One token costs one microdollar, so one number stands for both. */
const spending = (amount: number) => ({ tokens: amount, costMicrodollars: amount });

/** A run in the model: what counters have recorded for it, what it used, and whether it is over. */
interface ModelRun {
  readonly user: string;
  readonly timeMs: number;
  recorded: number;
  used: number;
  held: number;
  overuse: number;
  isAdmitted: boolean;
  isOver: boolean;
}

interface Model {
  timeMs: number;
  readonly runs: ModelRun[];
}

interface Real {
  readonly counters: ReturnType<typeof spyOnCounters>;
  readonly exhaustionCache: ReturnType<typeof createExhaustionCache>;
  readonly budgets: { budget: Budget; reservation: Reservation | undefined }[];
}

function sameCounter(rule: (typeof RULES)[number], one: ModelRun, other: ModelRun): boolean {
  const sameWindow = Math.floor(one.timeMs / rule.lengthMs) === Math.floor(other.timeMs / rule.lengthMs);
  return sameWindow && (rule.scope !== 'user' || one.user === other.user);
}

function takenOf(rule: (typeof RULES)[number], run: ModelRun, runs: readonly ModelRun[]): number {
  return runs
    .filter((other) => other !== run && other.isAdmitted && sameCounter(rule, run, other))
    .reduce((sum, { recorded }) => sum + (rule.metric === 'requests' ? 1 : recorded), 0);
}

/** True when every rule has room for a run with this amount. */
function hasRoom(model: Model, run: ModelRun, amount: number): boolean {
  return RULES.every((rule) => {
    if (rule.metric !== 'requests' && amount === 0) return true;
    return takenOf(rule, run, model.runs) + (rule.metric === 'requests' ? 1 : amount) <= rule.limit;
  });
}

type Command = fc.AsyncCommand<Model, Real>;

const amounts = fc.integer({ min: 0, max: 60 });

function pick(model: Model, index: number): number | undefined {
  const open = model.runs.flatMap((run, at) => (run.isAdmitted && !run.isOver ? [at] : []));
  return open[index % Math.max(1, open.length)];
}

const admit = fc.tuple(fc.constantFrom('ann', 'bob'), amounts).map(
  ([user, amount]): Command => ({
    check: () => true,
    toString: () => `admit ${user} ${amount}`,
    async run(model, { counters, exhaustionCache, budgets }) {
      const run = { user, timeMs: model.timeMs, recorded: amount, used: 0, held: amount, overuse: 0 };
      const entry: ModelRun = { ...run, isAdmitted: false, isOver: false };
      entry.isAdmitted = hasRoom(model, entry, amount);
      model.runs.push(entry);
      const request = limited({ ...REQUEST, caller: caller(user), timeMs: model.timeMs });
      const budget = budgetOf(request, counters, { exhaustionCache });
      budgets.push({ budget, reservation: undefined });
      const error = await errorOf(budget.admit(spending(amount)));
      expect(error === 'none').toBe(entry.isAdmitted);
    },
  }),
);

const attempt = fc.tuple(fc.nat(9), amounts).map(
  ([index, amount]): Command => ({
    check: (model) => pick(model, index) !== undefined,
    toString: () => `attempt ${amount} of run ${index}`,
    async run(model, { budgets }) {
      const at = pick(model, index) ?? 0;
      const [run, real] = [model.runs[at]!, budgets[at]!];
      // A reservation that was never settled counts as spent. The attempts of one call are sequential.
      if (real.reservation !== undefined) {
        real.reservation.settle(spending(run.held));
        run.used += run.held;
      }
      const wanted = run.used + amount;
      const fits = wanted <= run.recorded || hasRoom(model, run, wanted);
      const outcome = await real.budget.reserveAttempt(spending(amount)).catch(() => undefined);
      expect(outcome !== undefined).toBe(fits);
      real.reservation = outcome;
      run.held = fits ? amount : 0;
      if (fits) run.recorded = Math.max(run.recorded, wanted);
    },
  }),
);

const settle = fc.tuple(fc.nat(9), fc.integer({ min: 0, max: 70 })).map(
  ([index, actual]): Command => ({
    check: (model) => pick(model, index) !== undefined,
    toString: () => `settle ${actual} of run ${index}`,
    async run(model, { budgets }) {
      const at = pick(model, index) ?? 0;
      const [run, real] = [model.runs[at]!, budgets[at]!];
      if (real.reservation === undefined) return;
      real.reservation.settle(spending(actual));
      real.reservation = undefined;
      run.used += actual;
      run.overuse += Math.max(0, actual - run.held);
      run.held = 0;
    },
  }),
);

/** Ends a run as the function does; `isKilled` before it could settle. */
const finish = fc.tuple(fc.nat(9), fc.boolean()).map(
  ([index, isKilled]): Command => ({
    check: (model) => pick(model, index) !== undefined,
    toString: () => `${isKilled ? 'kill' : 'finish'} run ${index}`,
    async run(model, { counters, budgets }) {
      const at = pick(model, index) ?? 0;
      await end(model.runs[at]!, budgets[at]!, counters, isKilled);
    },
  }),
);

async function end(
  run: ModelRun,
  { budget, reservation }: Real['budgets'][number],
  counters: CounterStore,
  isKilled: boolean,
): Promise<void> {
  run.isOver = true;
  if (isKilled) return;
  run.recorded = run.used + (reservation === undefined ? 0 : run.held);
  for (const settlement of budget.close()) await counters.settle(settlement);
}

const wait = fc.constantFrom(1, 999, 20_000, MINUTE, HOUR).map(
  (milliseconds): Command => ({
    check: () => true,
    toString: () => `wait ${milliseconds}`,
    async run(model) {
      model.timeMs += milliseconds;
    },
  }),
);

describe('runs in any sequence', () => {
  it('are admitted exactly when the model has room, and leave what they used', async () => {
    const commands = fc.commands([admit, admit, attempt, attempt, settle, finish, wait], {
      maxCommands: 40,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const model: Model = { timeMs: NOW, runs: [] };
        const real: Real = {
          counters: spyOnCounters(),
          exhaustionCache: createExhaustionCache(),
          budgets: [],
        };
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        for (const [at, run] of model.runs.entries()) {
          if (run.isAdmitted && !run.isOver) await end(run, real.budgets[at]!, real.counters, false);
        }
        for (const rule of RULES) {
          for (const run of model.runs.filter(({ isAdmitted }) => isAdmitted)) {
            const same = model.runs.filter((other) => other.isAdmitted && sameCounter(rule, run, other));
            const taken = same.reduce(
              (sum, { recorded }) => sum + (rule.metric === 'requests' ? 1 : recorded),
              0,
            );
            const overuse = same.reduce(
              (sum, other) => sum + (rule.metric === 'requests' ? 0 : other.overuse),
              0,
            );
            expect(taken).toBeLessThanOrEqual(rule.limit + overuse);
          }
        }
        const total = model.runs
          .filter(({ isAdmitted }) => isAdmitted)
          .reduce((sum, { recorded }) => sum + recorded, 0);
        expect(storedOf(real, 'organization', 'cost')).toBe(total);
        expect(storedOf(real, 'user', 'tokens')).toBe(total);
        expect(storedOf(real, 'total', 'requests')).toBe(
          model.runs.filter(({ isAdmitted }) => isAdmitted).length,
        );
      }),
    );
  });
});

/** Over all counters of a scope. */
function storedOf({ counters }: Real, scope: string, metric: 'requests' | 'tokens' | 'cost'): number {
  return [...counters.memory.states]
    .filter(([key]) => scopeOf(key) === scope)
    .reduce((sum, [, { counts }]) => sum + (counts[metric]?.taken ?? 0), 0);
}
