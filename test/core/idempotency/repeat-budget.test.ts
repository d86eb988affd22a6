// Repetitions of one idempotency key in a minute: so many and no more, whatever other keys do.
import { expect, it } from 'vitest';
import { createRepeatBudget, MAX_REPEATS } from '../../../core/idempotency/repeat-budget.ts';
import type { RecordKey } from '../../../core/ports/idempotency.ts';

const MINUTE_MS = 60_000;
const NOON_MS = Date.UTC(2026, 10, 22, 12);
const [one, other] = ['I#n#s#1', 'I#n#s#2'] as RecordKey[] as [RecordKey, RecordKey];

it('has room for sixty a minute of a key, and for those of another', () => {
  const budget = createRepeatBudget();
  for (let time = 0; time < MAX_REPEATS; time += 1) {
    expect(() => budget.requireRoom(one, NOON_MS + 20_000)).not.toThrow();
    budget.count(one, NOON_MS + 20_000);
  }
  expect(() => budget.requireRoom(one, NOON_MS + 59_999)).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterMs: 1 }),
  );
  expect(() => budget.requireRoom(other, NOON_MS + 20_000)).not.toThrow();
  expect(() => budget.requireRoom(one, NOON_MS + MINUTE_MS)).not.toThrow();
});

it('watches a bounded number of keys, and forgets the oldest', () => {
  const budget = createRepeatBudget(1);
  for (let time = 0; time < MAX_REPEATS; time += 1) budget.count(one, NOON_MS);
  expect(() => budget.requireRoom(one, NOON_MS)).toThrow();
  budget.count(other, NOON_MS);
  expect(() => budget.requireRoom(one, NOON_MS)).not.toThrow();
});
