// Boundary values of the room check: one unit decides between room, held and exhausted.
import { describe, expect, it } from 'vitest';
import type { RequestedChange } from '../../../core/limits/account.ts';
import { findDenial, findExhausted, limitError, UNREAD, usedOf } from '../../../core/limits/denial.ts';
import type { Counts } from '../../../core/ports/counters.ts';

/** Adds `taken` to a limit of 100 for a run that holds `ownHeld` already. */
const adding = (
  taken: number,
  ownHeld = 0,
  metric: RequestedChange['metric'] = 'tokens',
): RequestedChange => ({
  metric,
  taken,
  held: taken,
  limit: 100,
  needed: taken + ownHeld,
});

const checkRoom = (changes: readonly RequestedChange[], counts: Counts) =>
  findDenial(changes, counts)?.kind ?? 'room';

const isExhausted = (...input: Parameters<typeof findExhausted>) => findExhausted(...input) !== undefined;

describe('the room check', () => {
  it.each([
    ['the last unit', 10, { taken: 90, held: 0 }, 'room'],
    ['one unit more than used amounts leave', 11, { taken: 90, held: 0 }, 'exhausted'],
    ['one unit more than is left while one unit is held', 11, { taken: 90, held: 1 }, 'held'],
    ['the whole limit while all of it is held', 100, { taken: 100, held: 100 }, 'held'],
    ['the whole limit while one unit is used', 100, { taken: 100, held: 99 }, 'exhausted'],
    ['the whole of an unused limit', 100, { taken: 0, held: 0 }, 'room'],
    ['more than the limit', 101, { taken: 0, held: 0 }, 'exhausted'],
    ['nothing when all is used', 0, { taken: 100, held: 0 }, 'room'],
    ['a release when more than the limit is used', -5, { taken: 120, held: 0 }, 'room'],
  ] as const)('decides on %s', (_what, taken, count, expected) => {
    expect(checkRoom([adding(taken)], { tokens: count })).toBe(expected);
  });

  it('finds room for committing a held amount, even above the limit', () => {
    const settled = { metric: 'tokens', taken: 0, held: -40, limit: 100, needed: 0 } as const;
    expect(checkRoom([settled], { tokens: { taken: 120, held: 40 } })).toBe('room');
    expect(isExhausted([settled], { tokens: 120 })).toBe(false);
  });

  it('treats a metric without a count as 0', () => {
    expect(checkRoom([adding(100)], {})).toBe('room');
    expect(checkRoom([adding(101)], {})).toBe('exhausted');
  });

  it('reports exhausted when only the run’s own held amount could make room', () => {
    const counts = { tokens: { taken: 95, held: 50 } };
    expect(checkRoom([adding(10, 50)], counts)).toBe('exhausted');
    expect(checkRoom([adding(10, 45)], counts)).toBe('held');
  });

  it('reports exhausted as soon as one metric is exhausted', () => {
    const changes = [adding(1, 0, 'requests'), adding(10)];
    const held = { taken: 95, held: 95 };
    expect(checkRoom(changes, { requests: { taken: 100, held: 0 }, tokens: held })).toBe('exhausted');
    expect(checkRoom(changes, { requests: { taken: 99, held: 0 }, tokens: held })).toBe('held');
    expect(checkRoom(changes, { requests: { taken: 99, held: 0 } })).toBe('room');
  });
});

describe('what is short', () => {
  it('is the metric that does not fit, what was asked of it, and what is not used', () => {
    const changes = [adding(1, 0, 'requests'), adding(60, 20)];
    expect(findDenial(changes, { tokens: { taken: 50, held: 20 } })).toEqual({
      kind: 'exhausted',
      shortage: { metric: 'tokens', asked: 80, left: 70, limit: 100 },
    });
  });

  it('of a held limit is the addition, and what is neither used nor held', () => {
    expect(findDenial([adding(60, 20)], { tokens: { taken: 70, held: 60 } })).toEqual({
      kind: 'held',
      shortage: { metric: 'tokens', asked: 60, left: 30, limit: 100 },
    });
  });

  it('is never less than nothing', () => {
    const nothing = { metric: 'tokens', asked: 1, left: 0, limit: 100 };
    expect(findExhausted([adding(1)], { tokens: 130 })?.shortage).toEqual(nothing);
    expect(findDenial([adding(1)], { tokens: { taken: 130, held: 90 } })?.shortage).toEqual(nothing);
  });
});

describe('used amounts', () => {
  it('are taken minus held, for each metric with a count', () => {
    const counts = { requests: { taken: 3, held: 0 }, cost: { taken: 9, held: 4 } };
    expect(usedOf(counts)).toEqual({ requests: 3, cost: 5 });
  });

  it('exhaust a limit from the first unit that does not fit', () => {
    expect(isExhausted([adding(10)], { tokens: 90 })).toBe(false);
    expect(isExhausted([adding(10)], { tokens: 91 })).toBe(true);
    expect(isExhausted([adding(10)], { requests: 91 })).toBe(false);
    expect(isExhausted([], { tokens: 1_000 })).toBe(false);
  });
});

describe('the error of a limit', () => {
  const counter = {
    scope: 'total',
    period: '1d',
    window: { startMs: 0, endMs: 86_400_000 },
    limits: [],
    items: [],
    isLast: true,
  } as const;
  const held = findDenial([adding(11)], { tokens: { taken: 90, held: 1 } });
  const exhausted = findDenial([adding(11)], { tokens: { taken: 90, held: 0 } });

  it('asks to come back soon where a single shard is only held', () => {
    expect(limitError(counter, [exhausted!, held!], 0)).toMatchObject({ retryAfterMs: 1_000 });
    expect(limitError(counter, [exhausted!, exhausted!], 0)).toMatchObject({ retryAfterMs: 86_400_000 });
  });

  it('says no amounts where no item could be read', () => {
    expect(limitError(counter, [UNREAD], 400_000)).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 86_000_000,
      reason: 'the total limit per 1d has no room',
    });
  });
});
