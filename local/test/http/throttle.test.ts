// The token bucket of a stage. Expected: API Gateway Developer Guide, "Throttle requests to your REST APIs".
import { describe, expect, it } from 'vitest';
import { createThrottle } from '../../http/throttle.ts';

describe('the stage limit', () => {
  it('lets a burst pass, then as many as the rate gives', () => {
    let now = 0;
    const mayPass = createThrottle({ rateLimit: 10, burstLimit: 3 }, () => now);
    const pass = (count: number) => Array.from({ length: count }, mayPass).filter(Boolean).length;
    expect(pass(10)).toBe(3);
    now = 100;
    expect(pass(10)).toBe(1);
    now = 250;
    expect(pass(10)).toBe(1);
    now = 100_000;
    expect(pass(10)).toBe(3);
  });

  it('limits nothing without a rate and a burst', () => {
    const mayPass = createThrottle({ rateLimit: undefined, burstLimit: undefined }, () => 0);
    expect(Array.from({ length: 100 }, mayPass).every(Boolean)).toBe(true);
  });

  it('refuses all with a rate and a burst of 0', () => {
    expect(createThrottle({ rateLimit: 0, burstLimit: 0 }, () => 0)()).toBe(false);
  });
});
