// What providers say of an answer: only what can be a count is one.
import { describe, expect, it } from 'vitest';
import { toCount } from '../../../adapters/providers/post-json.ts';

describe('a count of tokens', () => {
  it.each([0, 1, 1_000_000_000])('is %d', (value) => {
    expect(toCount(value)).toBe(value);
  });

  // Taken at its word, a negative one would give a limit room that nobody had taken, and NaN would never be booked.
  it.each([
    -1,
    -0.5,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1_000_000_001,
    2 ** 53,
    1e300,
    '7',
    null,
    {},
  ])('is not %s', (value) => {
    expect(toCount(value)).toBeUndefined();
  });
});
