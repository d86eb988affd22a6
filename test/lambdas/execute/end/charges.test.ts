// What the execution function writes down of AWS's charges: the formula with this call's own reads, writes and attempts.
import { describe, expect, it } from 'vitest';
import { MEMORY_MEGABYTES } from '../../../../adapters/platform/memory.ts';
import { ASSUMED } from '../../../../core/pricing/call-assumptions.ts';
import { limitsOfHit, type PricedCall, priceOfCall } from '../../../../core/pricing/infrastructure-cost.ts';
import { finish, openFunction } from '../served.ts';

/** Nanodollars by docs/costs.md of a call with one limit over tokens: a run writes to it twice, a hit reads it. */
function byFormula(call: Pick<PricedCall, 'isHit' | 'milliseconds'>): number {
  const { callsPerSecond, usageBatch: entriesPerBatch } = ASSUMED;
  const usual = { memoryMegabytes: MEMORY_MEGABYTES, callsPerSecond, entriesPerBatch };
  const limits = call.isHit ? limitsOfHit(2) : { limitWrites: 2, limitReads: 0 };
  return Math.round(priceOfCall({ ...usual, ...limits, ...call }));
}

describe('the charges in the entry', () => {
  it('are those of the formula for a call of a model and for one from the cache, in entry and line', async () => {
    const { begin, tell, asked, clock, entries, lines, duties, counters } = openFunction();
    const first = begin().served;
    await asked;
    await clock.advance(250);
    tell();
    await finish(await first);
    await finish(await begin().served);
    const [model, hit] = entries;
    expect(model).toMatchObject({ cache: 'miss', latencyMs: 250 });
    expect(model?.infrastructureNanodollars).toBe(byFormula({ isHit: false, milliseconds: 250 }));
    expect(hit).toMatchObject({ cache: 'exact', latencyMs: 0 });
    expect(hit?.infrastructureNanodollars).toBe(byFormula({ isHit: true, milliseconds: 0 }));
    expect(duties.filter((duty) => duty === 'settle')).toHaveLength(1);
    expect([...counters.states.values()].map(({ counts }) => counts.tokens?.held)).toEqual([0]);
    const ended = lines.filter(({ neuronEntry }) => neuronEntry === 1);
    expect(ended.map(({ infrastructureNanodollars }) => infrastructureNanodollars)).toEqual(
      entries.map(({ infrastructureNanodollars }) => infrastructureNanodollars),
    );
  });
});
