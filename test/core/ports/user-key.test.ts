// Digests of usernames: as they must stay, since limits, caches and logs are found by them.
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { digestUsername, isUsernameDigest } from '../../../core/ports/user-key.ts';

it('are the beginning of an HMAC-SHA-256 over `username`, a line feed and the name', () => {
  const hmac = createHmac('sha256', 'the key').update('username\nann@example.com').digest('base64url');
  expect(digestUsername('ann@example.com', 'the key')).toBe(`hmac_${hmac.slice(0, 22)}`);
});

it('differ by name, by case and by key, and are no digests of texts', () => {
  const made = ['ann', 'Ann', 'ann ', 'username\nann'].map((name) => digestUsername(name, 'key'));
  made.push(digestUsername('ann', 'other'));
  made.push(`hmac_${createHmac('sha256', 'key').update('ann').digest('base64url').slice(0, 22)}`);
  expect(new Set(made).size).toBe(made.length);
});

it.each([
  [digestUsername('ann', 'key'), true],
  ['hmac_short', false],
  [`${digestUsername('ann', 'key')}x`, false],
  ['ann', false],
])('knows the form of %s: %s', (text, expected) => {
  expect(isUsernameDigest(text)).toBe(expected);
});
