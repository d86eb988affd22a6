// What a misspelt member is taken for.
import { expect, it, test } from 'vitest';
import { explainUnknown, findNearest } from '../../../core/settings/members.ts';

const KNOWN = ['deadline', 'receipt', 'access', 'rateLimits', 'ips'];

test.each([
  ['dedline', 'deadline'],
  ['DEADLINE', 'deadline'],
  ['ratelimit', 'rateLimits'],
  ['recipet', 'receipt'],
  ['ip', 'ips'],
  ['acces', 'access'],
])('takes %s for %s', (name, meant) => expect(findNearest(name, KNOWN)).toBe(meant));

test.each(['xyz', 'model', '', 'a'.repeat(10_000)])('takes %s for nothing', (name) => {
  expect(findNearest(name, KNOWN)).toBeUndefined();
});

it('lists what is known only where something has no near name', () => {
  expect(explainUnknown(['acces'], ['access'])).toBe('has the unknown member acces (did you mean access?)');
  expect(explainUnknown(['zzz'], ['a', 'b'])).toBe('has the unknown member zzz; known are a, b');
});
