// Verdicts at their edges: one unit decides between room, held and used.
import { describe, expect, it } from 'vitest';
import type { WantedChange } from '../../../core/limits/account.ts';
import { isUsedUp, judge, usedOf } from '../../../core/limits/verdict.ts';

/** Wants `taken` of 100, beside what the run itself holds. */
const wanting = (taken: number, ownHeld = 0, metric: WantedChange['metric'] = 'tokens'): WantedChange => ({
  metric,
  taken,
  held: taken,
  limit: 100,
  need: taken + ownHeld,
});

describe('a verdict', () => {
  it.each([
    ['the last unit', 10, { taken: 90, held: 0 }, 'room'],
    ['one more than is left of what is used', 11, { taken: 90, held: 0 }, 'used'],
    ['one more than is left while one is held', 11, { taken: 90, held: 1 }, 'held'],
    ['all of the limit while all is held', 100, { taken: 100, held: 100 }, 'held'],
    ['all of the limit while one is used', 100, { taken: 100, held: 99 }, 'used'],
    ['all of an unused limit', 100, { taken: 0, held: 0 }, 'room'],
    ['more than the limit', 101, { taken: 0, held: 0 }, 'used'],
    ['nothing where all is used', 0, { taken: 100, held: 0 }, 'room'],
    ['to give back where more than all is used', -5, { taken: 120, held: 0 }, 'room'],
  ] as const)('on %s', (_what, taken, count, verdict) => {
    expect(judge([wanting(taken)], { tokens: count })).toBe(verdict);
  });

  it('on what the run held and has used: it needs no more room', () => {
    const settled = { metric: 'tokens', taken: 0, held: -40, limit: 100, need: 0 } as const;
    expect(judge([settled], { tokens: { taken: 120, held: 40 } })).toBe('room');
    expect(isUsedUp([settled], { tokens: 120 })).toBe(false);
  });

  it('takes a metric that nobody counted yet as empty', () => {
    expect(judge([wanting(100)], {})).toBe('room');
    expect(judge([wanting(101)], {})).toBe('used');
  });

  it('counts what the run itself holds as needed: its end makes no room for itself', () => {
    const counts = { tokens: { taken: 95, held: 50 } };
    expect(judge([wanting(10, 50)], counts)).toBe('used');
    expect(judge([wanting(10, 45)], counts)).toBe('held');
  });

  it('is used as soon as one metric is, whatever the others are', () => {
    const changes = [wanting(1, 0, 'requests'), wanting(10)];
    const held = { taken: 95, held: 95 };
    expect(judge(changes, { requests: { taken: 100, held: 0 }, tokens: held })).toBe('used');
    expect(judge(changes, { requests: { taken: 99, held: 0 }, tokens: held })).toBe('held');
    expect(judge(changes, { requests: { taken: 99, held: 0 } })).toBe('room');
  });
});

describe('what is used', () => {
  it('is what is taken and not held, of what was counted', () => {
    const counts = { requests: { taken: 3, held: 0 }, cost: { taken: 9, held: 4 } };
    expect(usedOf(counts)).toEqual({ requests: 3, cost: 5 });
  });

  it('leaves no room from the unit on that does not fit', () => {
    expect(isUsedUp([wanting(10)], { tokens: 90 })).toBe(false);
    expect(isUsedUp([wanting(10)], { tokens: 91 })).toBe(true);
    expect(isUsedUp([wanting(10)], { requests: 91 })).toBe(false);
    expect(isUsedUp([], { tokens: 1_000 })).toBe(false);
  });
});
