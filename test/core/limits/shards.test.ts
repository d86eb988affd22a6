// Shards of a total: exact in sum, whichever each request begins with.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, countOf, limited, NOW, refusalOf, spyOnCounters } from './limited.ts';

const total = { metric: 'requests', scope: 'total', limit: 7, period: '1m' } as const;
const sharded = limited({ rateLimits: [total], shards: 3 });

describe('a total over shards', () => {
  it('admits exactly its limit, and then refuses until the window ends', async () => {
    const counters = spyOnCounters();
    const known = createExhaustionCache();
    const chance = [0, 0.4, 0.99, 0.5, 0.1, 0.7, 0.2, 0.9, 0.34];
    const outcomes = [];
    for (const fraction of chance) {
      const context = { known, random: { fraction: () => fraction } };
      outcomes.push(await refusalOf(budgetOf(sharded, counters, context).admit(undefined)));
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
  ])('begins with a shard by chance: at %d with %s', async (fraction, shard) => {
    const counters = spyOnCounters();
    await budgetOf(sharded, counters, { random: { fraction: () => fraction } }).admit(undefined);
    expect(counters.calls).toEqual([`take ${shard}`]);
  });

  it('follows a full shard by the others, round once', async () => {
    const counters = spyOnCounters();
    const context = { known: createExhaustionCache(), random: { fraction: () => 0.34 } };
    for (let request = 0; request < 7; request += 1)
      await budgetOf(sharded, counters, context).admit(undefined);
    counters.calls.length = 0;
    expect(await refusalOf(budgetOf(sharded, counters, context).admit(undefined))).not.toBe('none');
    // The two others were seen to be full before.
    expect(counters.calls).toEqual(['take total/0']);
    counters.calls.length = 0;
    expect(await refusalOf(budgetOf(sharded, counters, context).admit(undefined))).not.toBe('none');
    expect(counters.calls).toEqual([]);
  });

  it('never asks a shard without a share', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 2 }], shards: 4 });
    const context = { random: { fraction: () => 0.6 } };
    for (let request = 0; request < 2; request += 1) await budgetOf(two, counters, context).admit(undefined);
    expect(await refusalOf(budgetOf(two, counters, context).admit(undefined))).not.toBe('none');
    expect(new Set(counters.calls)).toEqual(new Set(['take total/0', 'take total/1']));
  });

  it('is refused again without asking any shard, with a share or without', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 2 }], shards: 4 });
    const context = { known: createExhaustionCache() };
    for (let request = 0; request < 3; request += 1)
      await refusalOf(budgetOf(two, counters, context).admit(undefined));
    counters.calls.length = 0;
    expect(await refusalOf(budgetOf(two, counters, context).admit(undefined))).not.toBe('none');
    expect(counters.calls).toEqual([]);
  });

  it('gives back to the shard that gave', async () => {
    const counters = spyOnCounters();
    const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
    const request = { ...sharded, usageLimits: [daily] };
    const begin = (fraction: number) => ({ random: { fraction: () => fraction } });
    await budgetOf(request, counters, begin(0)).admit(undefined);
    await refusalOf(budgetOf(request, counters, begin(0.5)).admit(undefined));
    expect(countOf(counters.memory, 'total/0', 'requests')).toEqual([1, 0]);
    expect(countOf(counters.memory, 'total/1', 'requests')).toEqual([0, 0]);
    expect(counters.calls.at(-1)).toBe('settle total/1');
  });

  it('goes on to the next shard where one is busy, and counts the request there alone', async () => {
    const counters = spyOnCounters();
    counters.failWith = (call) => (call === 'take total/0' ? new CounterFailure('throttled') : undefined);
    const budget = budgetOf(sharded, counters);
    await budget.admit(undefined);
    expect(counters.calls).toEqual(['take total/0', 'take total/1']);
    expect(countOf(counters.memory, 'total/1', 'requests')).toEqual([1, 0]);
    expect(budget.close()).toEqual([]);
    // It was counted, so no log entry may say that it was not.
    expect(budget.incidents().countersUnavailable).toBe(0);
  });

  it('refuses with 503 when no shard takes the request and one was busy: that one may have room', async () => {
    const counters = spyOnCounters();
    const two = limited({ rateLimits: [{ ...total, limit: 1 }], shards: 2 });
    counters.failWith = (call) => (call === 'take total/0' ? new CounterFailure('throttled') : undefined);
    const budget = budgetOf(two, counters);
    expect(await refusalOf(budget.admit(undefined))).toEqual(['overloaded', undefined]);
    expect(budget.incidents().countersUnavailable).toBe(1);
  });

  it('goes on uncounted when every shard is busy, where the neuron says so', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => new CounterFailure('throttled');
    const budget = budgetOf(sharded, counters, { admitsUncounted: true });
    await budget.admit(undefined);
    expect(counters.calls).toEqual(['take total/0', 'take total/1', 'take total/2']);
    expect(budget.incidents().countersUnavailable).toBe(1);
  });

  it('refuses with 503 at the first shard that gives no answer: it may have counted the request', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => new CounterFailure('unknown');
    expect(await refusalOf(budgetOf(sharded, counters).admit(undefined))).toEqual([
      'dependency_unavailable',
      undefined,
    ]);
    expect(counters.calls).toHaveLength(1);
  });

  it('leaves tokens of the same period to an item of their own', async () => {
    const counters = spyOnCounters();
    const tokens = { metric: 'tokens', scope: 'total', limit: 100, period: '1m' } as const;
    const request = { ...sharded, rateLimits: [total, tokens] };
    const budget = budgetOf(request, counters);
    await budget.admit({ tokens: 30, costMicrodollars: 0 });
    await budget.reserveAttempt({ tokens: 40, costMicrodollars: 0 });
    expect(counters.calls).toEqual(['take total/0', 'take total', 'take total']);
    expect(countOf(counters.memory, 'total', 'tokens')).toEqual([40, 40]);
  });

  it('reads every shard of a total that comes before a counter known to refuse', async () => {
    const counters = spyOnCounters();
    const known = createExhaustionCache();
    const daily = { metric: 'requests', limit: 1, period: 'day' } as const;
    const request = { ...sharded, usageLimits: [daily] };
    for (let again = 0; again < 2; again += 1)
      await refusalOf(budgetOf(request, counters, { known }).admit(undefined));
    counters.calls.length = 0;
    await refusalOf(budgetOf({ ...request, timeMs: NOW + 1 }, counters, { known }).admit(undefined));
    expect(counters.calls).toEqual(['read total/0 total/1 total/2']);
  });
});
