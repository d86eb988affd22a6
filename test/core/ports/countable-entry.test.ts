// Amounts that no sum can hold are sealed, and never counted.
import { expect, it } from 'vitest';
import { isCountable } from '../../../core/ports/countable-entry.ts';
import type { CountedEntry } from '../../../core/ports/usage.ts';
import { entryOf } from '../logs/entries.ts';

const ENTRY = entryOf({});
const CALL = { ...ENTRY.modelCalls[0], tokensInput: 1, tokensOutput: 1, costMicrodollars: 1 };

it('counts what the service puts, a cost that nobody knows included', () => {
  expect(isCountable(ENTRY)).toBe(true);
  expect(isCountable({ ...ENTRY, costMicrodollars: null })).toBe(true);
  expect(isCountable({ ...ENTRY, tokensInput: 1e12, modelCalls: [] })).toBe(true);
});

const calls = (...all: object[]) => ({ modelCalls: all.map((one) => ({ ...CALL, ...one })) });
it.each<[string, object]>([
  ['more tokens than any call has', { tokensInput: 1e12 + 1 }],
  ['the largest number of DynamoDB', { tokensOutput: 1e125 }],
  ['a negative amount', { savingsMicrodollars: -1 }],
  ['a fraction', { count: 0.5 }],
  ['a text in place of a number', { costMicrodollars: '1' }],
  ['a call with the largest number', calls({ tokensInput: 1e125 })],
  ['a call with less than DynamoDB can hold', calls({ costMicrodollars: 1e-131 })],
  ['calls whose sum no integer holds', calls({ tokensInput: 9e11 }, { tokensInput: 9e11 })],
  ['a call that is none', { modelCalls: [null] }],
  ['calls that are no list', { modelCalls: 'many' }],
  ['a model with a name longer than a key', calls({ model: 'm'.repeat(1_000) })],
  ['a user with a name as large as an item', { username: 'u'.repeat(300_000) }],
  ['an id that no key can have', { neuronId: 'a#b' }],
  ['an outcome of its own', { outcome: 'fine' }],
  ['a time that is no date', { timeMs: 9e15 }],
  ['an end that is no date', { expiresAt: 1e15 }],
])('does not count an item with %s', (_name, changes) => {
  expect(isCountable({ ...ENTRY, ...changes } as CountedEntry)).toBe(false);
});
