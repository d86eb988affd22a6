// Leases: when they end, what a counter holds without those that have ended, and how their number stays small.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { countsAt, endedLeases, leaseEndMs } from '../../../core/limits/leases.ts';
import { end, start } from './concurrent.ts';
import {
  budgetOf,
  caller,
  countOf,
  errorOf,
  limited,
  NOW,
  type SpiedCounters,
  spyOnCounters,
} from './limited.ts';

const total = { metric: 'concurrent', scope: 'total', limit: 2 } as const;
/** Of a run that arrives at 12:34:56.789 and may take a minute. */
const LEASE_ENDS_AT = Date.parse('2026-11-21T12:36:05Z') / 1_000;
const perUser = { metric: 'concurrent', scope: 'user', limit: 1 } as const;

describe('a lease', () => {
  it.each([
    [0, 5_000],
    [1, 10_000],
    [4_999, 10_000],
    [5_000, 10_000],
    [5_001, 15_000],
  ])('of a run that is over at %i ms ends at %i ms: 5 s later, and up to the next 5 s', (over, ends) => {
    expect(leaseEndMs(over)).toBe(ends);
  });

  const state = {
    counts: { concurrent: { taken: 9, held: 9 } },
    atMs: 0,
    leases: [
      { endsAt: 10, runs: 1 },
      { endsAt: 15, runs: 3 },
      { endsAt: 20, runs: 5 },
    ],
  };

  it('has ended from its very moment on', () => {
    const endedAt = (timeMs: number) => endedLeases(state, timeMs).map(({ endsAt }) => endsAt);
    expect(endedAt(9_999)).toEqual([]);
    expect(endedAt(10_000)).toEqual([10]);
    expect(endedAt(15_000)).toEqual([15, 10]);
  });

  it('counts no run any more when it has ended', () => {
    const runsAt = (timeMs: number) => countsAt(state, timeMs).concurrent;
    expect(runsAt(9_999)).toEqual({ taken: 9, held: 9 });
    expect(runsAt(10_000)).toEqual({ taken: 8, held: 8 });
    expect(runsAt(15_000)).toEqual({ taken: 5, held: 5 });
  });

  it('changes nothing of other metrics', () => {
    const counts = { requests: { taken: 4, held: 0 } };
    expect(countsAt({ counts, atMs: 0, leases: [] }, 10_000)).toEqual(counts);
    expect(countsAt({ ...state, counts: { ...counts, ...state.counts } }, 10_000).requests).toEqual({
      taken: 4,
      held: 0,
    });
  });

  it('is removed with those of the most runs, as many as one write takes', () => {
    const leases = Array.from({ length: 60 }, (_, index) => ({ endsAt: index, runs: index }));
    const ended = endedLeases({ ...state, leases }, 60_000);
    expect(ended).toHaveLength(50);
    expect(ended.map(({ runs }) => runs)).toEqual(Array.from({ length: 50 }, (_, index) => 59 - index));
  });
});

describe('the leases of a counter', () => {
  /** Runs of one second each, which end at once. */
  async function pass(counters: SpiedCounters, many: number) {
    const runs = [];
    for (let run = 0; run < many; run += 1) {
      const timeMs = NOW + run * 5_000;
      const budget = await start(counters, { rateLimits: [total], runEndsAtMs: timeMs + 1_000 }, timeMs);
      runs.push(budget.close());
      await end(counters, budget);
    }
    return runs;
  }
  const leasesOf = (counters: SpiedCounters) => [...counters.memory.states.values()][0]?.leases.length ?? 0;

  it('are removed when sixteen have ended, by a write of their own after the answer', async () => {
    const counters = spyOnCounters();
    const runs = await pass(counters, 18);
    // A lease ends two steps after its run began, so the eighteenth run is the first to see sixteen that have ended.
    expect(runs.slice(0, 17).every((settlements) => settlements.length === 1)).toBe(true);
    expect(runs[17]?.map(({ ended }) => ended?.length)).toEqual([undefined, 16]);
    expect(leasesOf(counters)).toBe(2);
  });

  it('stay few, however many runs there are', async () => {
    const counters = spyOnCounters();
    await pass(counters, 200);
    expect(leasesOf(counters)).toBeLessThan(20);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([0, 0]);
  });
});

describe('another limit that is known to be exhausted', () => {
  const requests = { metric: 'requests', limit: 1, period: 'day' } as const;

  it('is reported after the runs at once before it, without those that died', async () => {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const request = { rateLimits: [perUser], usageLimits: [requests] };
    const first = await start(counters, request, NOW, context);
    await errorOf(start(counters, { ...request, caller: caller('bob') }, NOW, context));
    counters.calls.length = 0;
    expect(await errorOf(start(counters, request, NOW, context))).toEqual(['too_many_at_once', 1_000]);
    expect(counters.calls).toEqual(['read user']);
    const later = LEASE_ENDS_AT * 1_000;
    expect(await errorOf(start(counters, request, later, context))).toMatchObject({
      0: 'usage_limit_exceeded',
    });
    await end(counters, first);
    expect(await errorOf(start(counters, request, NOW, context))).toMatchObject({
      0: 'usage_limit_exceeded',
    });
  });

  it('shows its caller nothing of the runs at once that were read for it', async () => {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const request = { rateLimits: [{ ...perUser, limit: 5 }], usageLimits: [requests] };
    await start(counters, request, NOW, context);
    await errorOf(start(counters, request, NOW, context));
    counters.calls.length = 0;
    const denied = budgetOf(limited(request), counters, context);
    expect(await errorOf(denied.admit(undefined))).toMatchObject({ 0: 'usage_limit_exceeded' });
    expect(counters.calls).toEqual(['read user']);
    expect(denied.rateLimit()).toBeUndefined();
  });
});
