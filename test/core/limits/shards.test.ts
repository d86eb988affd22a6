// A sharded total limit is exact in sum, whichever shard each request starts with.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, countOf, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

const total = { metric: 'requests', scope: 'total', limit: 7, period: '1m' } as const;
const sharded = limited({ rateLimits: [total], shards: 3 });

describe('a sharded total limit', () => {
  it('admits exactly its limit, and then denies until the window ends', async () => {
    const counters = spyOnCounters();
    const exhaustionCache = createExhaustionCache();
    const chance = [0, 0.4, 0.99, 0.5, 0.1, 0.7, 0.2, 0.9, 0.34];
    const outcomes = [];
    for (const fraction of chance) {
      const context = { exhaustionCache, random: { fraction: () => fraction } };
      outcomes.push(await errorOf(budgetOf(sharded, counters, context).admit(undefined)));
    }
    expect(outcomes.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => 'none'));
    expect(outcomes.slice(7)).toEqual([
      ['rate_limited', 3_211],
      ['rate_limited', 3_211],
    ]);
    const counts = [0, 1, 2].map((shard) => countOf(counters.memory, `total/${shard}`, 'requests'));
    expect(counts).toEqual([
      [3, 0],
      [2, 0],
      [2, 0],
    ]);
  });

  it.each([
    [0, 'total/0'],
    [0.34, 'total/1'],
    [0.99, 'total/2'],
  ])('starts with a random shard: at %d with %s', async (fraction, shard) => {
    const counters = spyOnCounters();
    await budgetOf(sharded, counters, { random: { fraction: () => fraction } }).admit(undefined);
    expect(counters.calls).toEqual([`reserve ${shard}`]);
  });

  it('tries every other shard once after a full one', async () => {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache(), random: { fraction: () => 0.34 } };
    for (let request = 0; request < 7; request += 1)
      await budgetOf(sharded, counters, context).admit(undefined);
    counters.calls.length = 0;
    expect(await errorOf(budgetOf(sharded, counters, context).admit(undefined))).not.toBe('none');
    // The two others are cached as exhausted.
    expect(counters.calls).toEqual(['reserve total/0']);
    counters.calls.length = 0;
    expect(await errorOf(budgetOf(sharded, counters, context).admit(undefined))).not.toBe('none');
    expect(counters.calls).toEqual([]);
  });

  it('never writes to a shard whose share is 0', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 2 }], shards: 4 });
    const context = { random: { fraction: () => 0.6 } };
    for (let request = 0; request < 2; request += 1) await budgetOf(two, counters, context).admit(undefined);
    expect(await errorOf(budgetOf(two, counters, context).admit(undefined))).not.toBe('none');
    expect(new Set(counters.calls)).toEqual(new Set(['reserve total/0', 'reserve total/1']));
  });

  it('denies again without a write to any shard', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 2 }], shards: 4 });
    const context = { exhaustionCache: createExhaustionCache() };
    for (let request = 0; request < 3; request += 1)
      await errorOf(budgetOf(two, counters, context).admit(undefined));
    counters.calls.length = 0;
    expect(await errorOf(budgetOf(two, counters, context).admit(undefined))).not.toBe('none');
    expect(counters.calls).toEqual([]);
  });

  it('releases in the shard that holds the reservation', async () => {
    const counters = spyOnCounters();
    const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
    const request = { ...sharded, usageLimits: [daily] };
    const startAt = (fraction: number) => ({ random: { fraction: () => fraction } });
    await budgetOf(request, counters, startAt(0)).admit(undefined);
    await errorOf(budgetOf(request, counters, startAt(0.5)).admit(undefined));
    expect(countOf(counters.memory, 'total/0', 'requests')).toEqual([1, 0]);
    expect(countOf(counters.memory, 'total/1', 'requests')).toEqual([0, 0]);
    expect(counters.calls.at(-1)).toBe('settle total/1');
  });

  it('tries the next shard when one is throttled, and counts the request there only', async () => {
    const counters = spyOnCounters();
    counters.failWith = (call) => (call === 'reserve total/0' ? new CounterFailure('throttled') : undefined);
    const budget = budgetOf(sharded, counters);
    await budget.admit(undefined);
    expect(counters.calls).toEqual(['reserve total/0', 'reserve total/1']);
    expect(countOf(counters.memory, 'total/1', 'requests')).toEqual([1, 0]);
    expect(budget.close()).toEqual([]);
    // The request was counted, so the log entry must not say otherwise.
    expect(budget.incidents().countersUnavailable).toBe(0);
  });

  it('causes 503 when no shard has room and one was throttled, since that one may have room', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 1 }], shards: 2 });
    counters.failWith = (call) => (call === 'reserve total/0' ? new CounterFailure('throttled') : undefined);
    const budget = budgetOf(two, counters);
    expect(await errorOf(budget.admit(undefined))).toEqual(['overloaded', undefined]);
    expect(budget.incidents().countersUnavailable).toBe(1);
  });

  it('admits uncounted when every shard is throttled and the neuron fails open', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => new CounterFailure('throttled');
    const budget = budgetOf(sharded, counters, { failOpen: true });
    await budget.admit(undefined);
    const once = ['reserve total/0', 'reserve total/1', 'reserve total/2'];
    expect(counters.calls).toEqual([...once, ...once]);
    expect(budget.incidents().countersUnavailable).toBe(1);
  });

  it('tries only the shards again that throttled, and waits once for all of them', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 2 }], shards: 3 });
    await budgetOf(two, counters).admit(undefined);
    counters.calls.length = 0;
    const failures = [new CounterFailure('throttled')];
    counters.failWith = (call) => (call === 'reserve total/1' ? failures.pop() : undefined);
    const waits: number[] = [];
    const clock = { now: () => NOW, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
    await budgetOf(two, counters, { clock }).admit(undefined);
    // Shard 0 is full, shard 2 has a share of 0.
    expect(counters.calls).toEqual(['reserve total/0', 'reserve total/1', 'reserve total/1']);
    expect(waits).toHaveLength(1);
  });

  it('are described together when every one of them denies, first or last', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 2 }], shards: 2 });
    for (const fraction of [0, 0.9])
      await budgetOf(two, counters, { random: { fraction: () => fraction } }).admit(undefined);
    const failures = [new CounterFailure('throttled')];
    counters.failWith = (call) => (call === 'reserve total/1' ? failures.pop() : undefined);
    const reason = await budgetOf(two, counters)
      .admit(undefined)
      .catch((thrown) => thrown.reason);
    expect(reason).toBe('the total limit of requests per 1m is exhausted: asked for 1, nothing of 2 left');
  });

  it('makes no write after one that may have been made, also where another throttled', async () => {
    const counters = spyOnCounters();
    counters.failWith = (call) => new CounterFailure(call === 'reserve total/0' ? 'throttled' : 'unknown');
    expect(await errorOf(budgetOf(sharded, counters).admit(undefined))).toEqual([
      'dependency_unavailable',
      undefined,
    ]);
    expect(counters.calls).toEqual(['reserve total/0', 'reserve total/1']);
  });

  it('causes 503 at the first shard with an unknown outcome, since it may have counted the request', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => new CounterFailure('unknown');
    expect(await errorOf(budgetOf(sharded, counters).admit(undefined))).toEqual([
      'dependency_unavailable',
      undefined,
    ]);
    expect(counters.calls).toHaveLength(1);
  });

  it('keeps tokens of the same period in a separate item', async () => {
    const counters = spyOnCounters();
    const tokens = { metric: 'tokens', scope: 'total', limit: 100, period: '1m' } as const;
    const request = { ...sharded, rateLimits: [total, tokens] };
    const budget = budgetOf(request, counters);
    await budget.admit({ tokens: 30, costMicrodollars: 0 });
    await budget.reserveAttempt({ tokens: 40, costMicrodollars: 0 });
    expect(counters.calls).toEqual(['reserve total/0', 'reserve total', 'reserve total']);
    expect(countOf(counters.memory, 'total', 'tokens')).toEqual([40, 40]);
  });

  it('is read in every shard when a later counter is known to be exhausted', async () => {
    const counters = spyOnCounters();
    const exhaustionCache = createExhaustionCache();
    const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
    const request = { ...sharded, usageLimits: [daily] };
    for (let again = 0; again < 2; again += 1)
      await errorOf(budgetOf(request, counters, { exhaustionCache }).admit(undefined));
    counters.calls.length = 0;
    await errorOf(budgetOf({ ...request, timeMs: NOW + 1 }, counters, { exhaustionCache }).admit(undefined));
    expect(counters.calls).toEqual(['read total/0 total/1 total/2']);
  });
});
