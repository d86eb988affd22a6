// Settling after the answer: each counter at most once, and never the caller's concern.
import { describe, expect, it } from 'vitest';
import { CounterFailure } from '../../../../core/ports/counters.ts';
import { sendSettlements } from '../../../../lambdas/execute/end/finish.ts';
import { budgetOf, countOf, limited, spyOnCounters } from '../../../core/limits/limited.ts';

const tokens = (scope: 'user' | 'ip') => ({ metric: 'tokens', scope, limit: 100, period: '1m' }) as const;
const spending = (amount: number) => ({ tokens: amount, costMicrodollars: 0 });

async function usedRun() {
  const counters = spyOnCounters();
  const budget = budgetOf(limited({ rateLimits: [tokens('user'), tokens('ip')] }), counters);
  await budget.admit(spending(50));
  (await budget.reserveAttempt(spending(50))).settle(spending(20));
  counters.calls.length = 0;
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    monotonicMs: () => 0,
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
    timer: () => () => undefined,
  };
  const random = { fraction: () => 0.5, bytes: (count: number) => new Uint8Array(count) };
  const ports = { counters, clock, random };
  return { counters, waits, ports, budget };
}

describe('settling', () => {
  it('reports to every counter once what was used', async () => {
    const { counters, budget, ports } = await usedRun();
    await sendSettlements(budget.close(), ports);
    expect(counters.calls).toEqual(['settle user', 'settle ip']);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([20, 0]);
  });

  it('leaves held what may be lost, does not send it again, and goes on', async () => {
    const { counters, budget, ports, waits } = await usedRun();
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('unknown') : undefined);
    await expect(sendSettlements(budget.close(), ports)).resolves.toBeUndefined();
    expect(counters.calls).toEqual(['settle user', 'settle ip']);
    expect(waits).toEqual([]);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([50, 50]);
    expect(countOf(counters.memory, 'ip', 'tokens')).toEqual([20, 0]);
  });

  it('sends again, after a wait by chance, what a busy counter certainly did not take', async () => {
    const { counters, budget, ports, waits } = await usedRun();
    const failures = [new CounterFailure('throttled'), new CounterFailure('throttled')];
    counters.failWith = (call) => (call === 'settle user' ? failures.shift() : undefined);
    await sendSettlements(budget.close(), ports);
    expect(waits).toEqual([25, 100]);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([20, 0]);
    expect(countOf(counters.memory, 'ip', 'tokens')).toEqual([20, 0]);
  });

  it('gives up after the third try, and goes on', async () => {
    const { counters, budget, ports } = await usedRun();
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('throttled') : undefined);
    await expect(sendSettlements(budget.close(), ports)).resolves.toBeUndefined();
    expect(counters.calls.filter((call) => call === 'settle user')).toHaveLength(3);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([50, 50]);
  });

  it('does not send again what was lost after it had been throttled', async () => {
    const { counters, budget, ports } = await usedRun();
    const failures = [new CounterFailure('throttled'), new CounterFailure('unknown')];
    counters.failWith = (call) => (call === 'settle user' ? failures.shift() : undefined);
    await sendSettlements(budget.close(), ports);
    expect(counters.calls.filter((call) => call === 'settle user')).toHaveLength(2);
  });

  it('does nothing for a request that was never asked about limits', async () => {
    const { counters, ports } = await usedRun();
    await sendSettlements([], ports);
    expect(counters.calls).toEqual([]);
  });
});
