// Counters that throttle or give no answer: fail closed or open, and what is released, settled and kept.
import { describe, expect, it } from 'vitest';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { budgetOf, caller, countOf, errorOf, limited, NOW, spyOnCounters } from './limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 2, period: '1m' } as const;
const perIp = { metric: 'requests', scope: 'ip', limit: 100, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 3, period: '10m' } as const;
const daily = { metric: 'requests', limit: 4, period: 'day' } as const;
const all = limited({ rateLimits: [perUser, perIp, total], usageLimits: [daily] });
const spending = { tokens: 10, costMicrodollars: 0 };

/** Milliseconds from 12:34:56.789 to the end of the window of ten minutes. */
const TO_TEN_MINUTES = 303_211;

describe('a counter that fails', () => {
  const failing = (kind: 'throttled' | 'unknown') => {
    const counters = spyOnCounters();
    counters.failWith = (call) => (call === 'reserve total' ? new CounterFailure(kind) : undefined);
    return counters;
  };

  it.each([
    ['throttled', 'overloaded', ['reserve total', 'reserve total']],
    ['unknown', 'dependency_unavailable', ['reserve total']],
  ] as const)(
    'because it is %s causes 503 %s and a release in the counters before it',
    async (kind, code, attempts) => {
      const counters = failing(kind);
      const budget = budgetOf(all, counters);
      expect(await errorOf(budget.admit(undefined))).toEqual([code, undefined]);
      expect(counters.calls).toEqual(['reserve user', 'reserve ip', ...attempts, 'settle user', 'settle ip']);
      expect(countOf(counters.memory, 'user', 'requests')).toEqual([0, 0]);
      expect(budget.close()).toEqual([]);
      expect(budget.incidents()).toEqual({ reservationsExceeded: 0, countersUnavailable: 1 });
    },
  );

  it.each([
    ['throttled', ['reserve total', 'reserve total']],
    ['unknown', ['reserve total']],
  ] as const)('because it is %s is skipped when the neuron fails open', async (kind, attempts) => {
    const counters = failing(kind);
    const budget = budgetOf(all, counters, { failOpen: true });
    await budget.admit(undefined);
    expect(counters.calls).toEqual(['reserve user', 'reserve ip', ...attempts, 'reserve organization']);
    expect(budget.incidents().countersUnavailable).toBe(1);
  });

  it('is written to once more after a jitter when it throttled, since that write was not made', async () => {
    const counters = spyOnCounters();
    const failures = [new CounterFailure('throttled')];
    counters.failWith = (call) => (call === 'reserve total' ? failures.pop() : undefined);
    const waits: number[] = [];
    const clock = { now: () => NOW, sleep: async (milliseconds: number) => void waits.push(milliseconds) };
    const budget = budgetOf(all, counters, { clock, random: { fraction: () => 0.5 } });
    await budget.admit(undefined);
    expect(waits).toEqual([25]);
    expect(counters.calls).toEqual([
      ...['reserve user', 'reserve ip', 'reserve total', 'reserve total', 'reserve organization'],
    ]);
    expect(countOf(counters.memory, 'total', 'requests')).toEqual([1, 0]);
    expect(budget.incidents().countersUnavailable).toBe(0);
  });

  it('waits for nothing when no write was throttled', async () => {
    const counters = failing('unknown');
    const clock = { now: () => NOW, sleep: () => Promise.reject(new Error('a wait')) };
    expect(await errorOf(budgetOf(all, counters, { clock }).admit(undefined))).toEqual([
      'dependency_unavailable',
      undefined,
    ]);
    counters.failWith = () => undefined;
    await budgetOf(all, counters, { clock }).admit(undefined);
    for (const username of ['ann', 'bob'])
      await errorOf(budgetOf({ ...all, caller: caller(username) }, counters, { clock }).admit(undefined));
    expect(counters.calls.at(-1)).toBe('reserve organization');
  });

  it('gets the denial of the second write when the first one throttled', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [{ ...total, limit: 1 }] });
    await budgetOf(request, counters).admit(undefined);
    const failures = [new CounterFailure('throttled')];
    counters.failWith = () => failures.pop();
    expect(await errorOf(budgetOf(request, counters).admit(undefined))).toEqual([
      'rate_limited',
      TO_TEN_MINUTES,
    ]);
  });

  it('with an unknown outcome keeps what it may have recorded, in addition to what was used', async () => {
    const tokens = { metric: 'tokens', scope: 'total', limit: 100, period: '10m' } as const;
    const counters = spyOnCounters();
    const { reserve } = counters;
    counters.reserve = async (...args) => {
      await reserve(...args);
      throw new CounterFailure('unknown');
    };
    const budget = budgetOf(limited({ rateLimits: [tokens] }), counters, { failOpen: true });
    await budget.admit(spending);
    (await budget.reserveAttempt({ tokens: 10, costMicrodollars: 0 })).settle({ ...spending, tokens: 4 });
    for (const settlement of budget.close()) await counters.settle(settlement);
    // Two reservations of 10 with an unknown outcome, and 4 that were used.
    expect(countOf(counters.memory, 'total', 'tokens')).toEqual([24, 20]);
  });

  it('because it throttles gets the used amount at settlement', async () => {
    const counters = failing('throttled');
    const budget = budgetOf(limited({ rateLimits: [total] }), counters, { failOpen: true });
    await budget.admit(undefined);
    expect(budget.close()).toEqual([
      { key: expect.stringContaining('#total#'), changes: [{ metric: 'requests', taken: 1, held: 0 }] },
    ]);
  });

  it('during a release stays stricter, and the caller gets the original 429', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, { ...total, limit: 1 }] });
    await budgetOf({ ...request, caller: caller('bob') }, counters).admit(undefined);
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('unknown') : undefined);
    const budget = budgetOf(request, counters);
    expect(await errorOf(budget.admit(undefined))).toEqual(['rate_limited', TO_TEN_MINUTES]);
    expect(counters.calls.filter((call) => call.startsWith('settle'))).toEqual(['settle user']);
    expect(budget.close()).toEqual([]);
  });

  it('because it throttles a release gets that release at the end of the run', async () => {
    const counters = spyOnCounters();
    const request = limited({ rateLimits: [perUser, { ...total, limit: 1 }] });
    await budgetOf({ ...request, caller: caller('bob') }, counters).admit(undefined);
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('throttled') : undefined);
    const budget = budgetOf(request, counters);
    expect(await errorOf(budget.admit(undefined))).toEqual(['rate_limited', TO_TEN_MINUTES]);
    expect(budget.close()).toEqual([
      { key: expect.stringContaining('#user#'), changes: [{ metric: 'requests', taken: -1, held: 0 }] },
    ]);
  });

  it('with any other error than CounterFailure makes admission throw that error', async () => {
    const counters = spyOnCounters();
    counters.reserve = () => Promise.reject(new TypeError('a defect'));
    const budget = budgetOf(limited({ rateLimits: [perUser] }), counters, { failOpen: true });
    await expect(budget.admit(undefined)).rejects.toThrow('a defect');
  });
});
