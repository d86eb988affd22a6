// The budget of refusals: sixty entries a minute for each neuron, and one that counts the rest.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRejectionBudget, type RejectionBudget } from '../../../core/logs/rejection-budget.ts';

const MINUTE = 60_000;

function flood<T>(budget: RejectionBudget<T>, neuronId: string, timeMs: number, rejections: readonly T[]) {
  return rejections.map((rejection) => budget.admit(neuronId, timeMs, rejection));
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('the budget', () => {
  it('gives sixty refusals an entry of their own and counts the rest', () => {
    const verdicts = flood(createRejectionBudget(), 'a', 5 * MINUTE, numbers(1, 100));
    expect(verdicts.slice(0, 60).every((verdict) => verdict === 'entry')).toBe(true);
    expect(verdicts.slice(60).every((verdict) => verdict === 'counted')).toBe(true);
  });

  it('sums up the rest once its minute is over, with the latest refusal', () => {
    const budget = createRejectionBudget<number>();
    flood(budget, 'a', 5 * MINUTE + 1, numbers(1, 100));
    expect(budget.drain(5 * MINUTE + 59_999)).toEqual([]);
    expect(budget.drain(6 * MINUTE)).toEqual([{ neuronId: 'a', minuteMs: 5 * MINUTE, count: 40, last: 100 }]);
  });

  it('hands a summary out once', () => {
    const budget = createRejectionBudget<number>();
    flood(budget, 'a', 0, numbers(1, 61));
    expect(budget.drain(MINUTE)).toHaveLength(1);
    expect(budget.drain(MINUTE)).toEqual([]);
    expect(budget.drain(9 * MINUTE)).toEqual([]);
  });

  it('sums up nothing where sixty were enough', () => {
    const budget = createRejectionBudget<number>();
    flood(budget, 'a', 0, numbers(1, 60));
    expect(budget.drain(MINUTE)).toEqual([]);
  });

  it('resets every minute, also when the last one was not drained', () => {
    const budget = createRejectionBudget<number>();
    flood(budget, 'a', 0, numbers(1, 70));
    expect(budget.admit('a', MINUTE, 71)).toBe('entry');
    expect(budget.drain(MINUTE)).toEqual([{ neuronId: 'a', minuteMs: 0, count: 10, last: 70 }]);
    expect(flood(budget, 'a', MINUTE, numbers(72, 130)).every((verdict) => verdict === 'entry')).toBe(true);
    expect(budget.admit('a', MINUTE, 131)).toBe('counted');
  });

  it('lets no neuron spend of another one’s', () => {
    const budget = createRejectionBudget<number>();
    flood(budget, 'a', 0, numbers(1, 200));
    expect(budget.admit('b', 0, 1)).toBe('entry');
    flood(budget, 'b', 0, numbers(2, 61));
    expect(budget.drain(MINUTE)).toEqual([
      { neuronId: 'a', minuteMs: 0, count: 140, last: 200 },
      { neuronId: 'b', minuteMs: 0, count: 1, last: 61 },
    ]);
  });

  it('counts a refusal that arrives late in the current minute', () => {
    const budget = createRejectionBudget<number>();
    budget.admit('a', MINUTE, 1);
    flood(budget, 'a', MINUTE - 1, numbers(2, 60));
    expect(budget.admit('a', MINUTE - 1, 61)).toBe('counted');
    expect(budget.drain(MINUTE)).toEqual([]);
    expect(budget.drain(2 * MINUTE)).toEqual([{ neuronId: 'a', minuteMs: MINUTE, count: 1, last: 61 }]);
  });

  it('drains what is over and keeps what runs', () => {
    const budget = createRejectionBudget<number>();
    flood(budget, 'a', 0, numbers(1, 61));
    flood(budget, 'b', MINUTE, numbers(1, 61));
    expect(budget.drain(MINUTE).map(({ neuronId }) => neuronId)).toEqual(['a']);
    expect(budget.admit('b', MINUTE, 62)).toBe('counted');
    expect(budget.drain(2 * MINUTE)).toEqual([{ neuronId: 'b', minuteMs: MINUTE, count: 2, last: 62 }]);
  });

  it('watches so many neurons at once, and sums the longest watched up early', () => {
    const budget = createRejectionBudget<number>({ entriesPerMinute: 1, neurons: 2 });
    flood(budget, 'a', 0, [1, 2, 3]);
    flood(budget, 'b', 0, [1]);
    flood(budget, 'a', 0, [4]);
    expect(budget.admit('c', 0, 1)).toBe('entry');
    expect(budget.drain(0)).toEqual([{ neuronId: 'a', minuteMs: 0, count: 3, last: 4 }]);
    expect(budget.admit('b', 0, 2)).toBe('counted');
  });

  it('sums up each kind apart, with the latest of that kind', () => {
    const budget = createRejectionBudget<number>({ entriesPerMinute: 1, neurons: 2 });
    for (const [index, kind] of ['x', 'x', 'y', 'x', 'y'].entries()) budget.admit('a', 0, index, kind);
    expect(budget.drain(MINUTE)).toEqual([
      { neuronId: 'a', minuteMs: 0, count: 2, last: 3 },
      { neuronId: 'a', minuteMs: 0, count: 2, last: 4 },
    ]);
  });

  it('accounts for every refusal, whatever comes when', () => {
    const arrivals = fc.array(
      fc.record({
        neuron: fc.constantFrom('a', 'b', 'c', 'd'),
        step: fc.integer({ min: -500, max: 40_000 }),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(arrivals, (list) => {
        const budget = createRejectionBudget<number>({ entriesPerMinute: 3, neurons: 3 });
        let timeMs = 10 * MINUTE;
        let entries = 0;
        let counted = 0;
        for (const { neuron, step } of list) {
          timeMs += step;
          for (const { count } of budget.drain(timeMs)) counted += count;
          if (budget.admit(neuron, timeMs, 0) === 'entry') entries += 1;
        }
        for (const { count } of budget.drain(timeMs + 10 * MINUTE)) counted += count;
        return entries + counted === list.length;
      }),
    );
  });
});
