// Settling after the answer: each counter once, and never the caller's concern.
import { describe, expect, it } from 'vitest';
import { CounterFailure } from '../../../core/ports/counters.ts';
import type { Run } from '../../../lambdas/execute/run.ts';
import { settle } from '../../../lambdas/execute/settle.ts';
import { budgetOf, countOf, limited, spyOnCounters } from '../../core/limits/limited.ts';

const tokens = (scope: 'user' | 'ip') => ({ metric: 'tokens', scope, limit: 100, period: '1m' }) as const;
const spending = (amount: number) => ({ tokens: amount, costMicrodollars: 0 });

async function usedRun() {
  const counters = spyOnCounters();
  const budget = budgetOf(limited({ rateLimits: [tokens('user'), tokens('ip')] }), counters);
  await budget.admit(spending(50));
  (await budget.reserveAttempt(spending(50))).settle(spending(20));
  counters.calls.length = 0;
  return { counters, run: { budget } as unknown as Run };
}

describe('settling', () => {
  it('tells every counter once what was used', async () => {
    const { counters, run } = await usedRun();
    await settle(run, { counters });
    expect(counters.calls).toEqual(['settle user', 'settle ip']);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([20, 0]);
  });

  it('leaves what is lost held, tries nothing again, and goes on', async () => {
    const { counters, run } = await usedRun();
    counters.failWith = (call) => (call === 'settle user' ? new CounterFailure('unknown') : undefined);
    await expect(settle(run, { counters })).resolves.toBeUndefined();
    expect(counters.calls).toEqual(['settle user', 'settle ip']);
    expect(countOf(counters.memory, 'user', 'tokens')).toEqual([50, 50]);
    expect(countOf(counters.memory, 'ip', 'tokens')).toEqual([20, 0]);
  });

  it('does nothing for a request that was never asked about limits', async () => {
    const counters = spyOnCounters();
    await settle({} as Run, { counters });
    expect(counters.calls).toEqual([]);
  });
});
