// A budget for each subject and minute of the clock.
import { expect, it } from 'vitest';
import { createMinuteBudget } from '../../../core/async/minute-budget.ts';

const NOON_MS = Date.UTC(2026, 10, 22, 12);

it('has room until its amount is reached, for each subject by itself, and again in the next minute', () => {
  const budget = createMinuteBudget(10);
  expect(budget.retryAfterMs('a', NOON_MS)).toBe(0);
  budget.add('a', NOON_MS, 4);
  budget.add('a', NOON_MS + 1_000, 5);
  expect(budget.retryAfterMs('a', NOON_MS + 2_000)).toBe(0);
  budget.add('a', NOON_MS + 2_000, 1);
  expect(budget.retryAfterMs('a', NOON_MS + 2_000)).toBe(58_000);
  expect(budget.retryAfterMs('a', NOON_MS + 59_999)).toBe(1);
  expect(budget.retryAfterMs('b', NOON_MS + 2_000)).toBe(0);
  expect(budget.retryAfterMs('a', NOON_MS + 60_000)).toBe(0);
  budget.add('a', NOON_MS + 60_000, 9);
  expect(budget.retryAfterMs('a', NOON_MS + 60_000)).toBe(0);
});

it('watches a bounded number of subjects, and forgets the oldest', () => {
  const budget = createMinuteBudget(1, 1);
  budget.add('a', NOON_MS, 1);
  budget.add('b', NOON_MS, 1);
  expect(budget.retryAfterMs('a', NOON_MS)).toBe(0);
  expect(budget.retryAfterMs('b', NOON_MS)).toBe(60_000);
});
