// The throttle on recording last uses.
import { describe, expect, it } from 'vitest';
import { createLastUseThrottle } from '../../../core/access/last-use.ts';

describe('a last use', () => {
  it('is recorded at once, and again only a minute later', () => {
    const throttle = createLastUseThrottle();
    expect(throttle.isDue('a', 1_000)).toBe(true);
    expect(throttle.isDue('a', 1_000)).toBe(false);
    expect(throttle.isDue('a', 60_999)).toBe(false);
    expect(throttle.isDue('a', 61_000)).toBe(true);
    expect(throttle.isDue('a', 120_999)).toBe(false);
  });

  it('is recorded for each key by itself', () => {
    const throttle = createLastUseThrottle();
    expect(throttle.isDue('a', 1_000)).toBe(true);
    expect(throttle.isDue('b', 1_000)).toBe(true);
    expect(throttle.isDue('a', 2_000)).toBe(false);
  });

  it('is not recorded when time runs backwards', () => {
    const throttle = createLastUseThrottle();
    throttle.isDue('a', 61_000);
    expect(throttle.isDue('a', 0)).toBe(false);
  });

  it('is forgotten first for the key that was recorded longest ago', () => {
    const throttle = createLastUseThrottle(2);
    throttle.isDue('a', 0);
    throttle.isDue('b', 59_999);
    throttle.isDue('a', 60_000);
    throttle.isDue('c', 60_001);
    expect(throttle.isDue('a', 60_002)).toBe(false);
    expect(throttle.isDue('c', 60_002)).toBe(false);
    expect(throttle.isDue('b', 60_002)).toBe(true);
  });

  it('is remembered for as many keys as there is room for', () => {
    const throttle = createLastUseThrottle(3);
    for (const keyId of ['a', 'b', 'c']) throttle.isDue(keyId, 0);
    for (const keyId of ['a', 'b', 'c']) expect(throttle.isDue(keyId, 1)).toBe(false);
  });
});
