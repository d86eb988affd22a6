// No sequence of runs that end, die and are late takes more places than there are, or leaves one of them empty.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetOf, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

const LIMIT = 3;
const RULE = { metric: 'concurrent', scope: 'total', limit: LIMIT } as const;

/** What happens next: time passes, a run wants its place, or the run of this number ends in one of three ways. */
const events = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('start' as const),
        deadlineMs: fc.constantFrom(1_000, 20_000, 60_000),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), index: fc.nat(30) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), index: fc.nat(30) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        forMs: fc.constantFrom(1, 500, 4_999, 5_000, 31_000, 90_000),
      }),
    },
  ),
  { maxLength: 60 },
);

interface ModelRun {
  readonly budget: ReturnType<typeof budgetOf>;
  /** When its place is free without it, by the rule as the documentation has it. */
  readonly leaseEndMs: number;
  state: 'runs' | 'died' | 'ended';
}

describe('runs at once', () => {
  it('are admitted exactly while fewer than the limit run, or died a short time ago', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.boolean(), async (sequence, returnsStates) => {
        const counters = spyOnCounters();
        counters.returnsStates = returnsStates;
        const runs: ModelRun[] = [];
        let nowMs = NOW;
        const taken = () => runs.filter((run) => run.state !== 'ended' && nowMs < run.leaseEndMs).length;
        for (const event of sequence) {
          if (event.kind === 'wait') nowMs += event.forMs;
          else if (event.kind === 'start') {
            const runEndsAtMs = nowMs + event.deadlineMs;
            const budget = budgetOf(limited({ rateLimits: [RULE], timeMs: nowMs, runEndsAtMs }), counters);
            const hasRoom = taken() < LIMIT;
            expect((await errorOf(budget.admit(undefined))) === 'none').toBe(hasRoom);
            const leaseEndMs = Math.ceil((runEndsAtMs + 5_000) / 5_000) * 5_000;
            if (hasRoom) runs.push({ budget, leaseEndMs, state: 'runs' });
          } else {
            const run = runs.filter(({ state }) => state === 'runs')[event.index];
            if (run === undefined) continue;
            run.state = event.kind === 'die' ? 'died' : 'ended';
            if (event.kind === 'die') continue;
            for (const settlement of run.budget.close()) await counters.settle(settlement);
          }
        }
        const [state] = [...counters.memory.states.values()];
        if (state === undefined) return;
        const leased = state.leases.reduce((sum, lease) => sum + lease.runs, 0);
        expect(state.counts.concurrent).toEqual({ taken: leased, held: leased });
        expect(state.leases.every((lease) => lease.runs >= 0)).toBe(true);
      }),
    );
  });
});
