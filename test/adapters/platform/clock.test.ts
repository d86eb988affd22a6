// The system's clock keeps the port's promises on sleeping.
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../adapters/platform/clock.ts';

describe('the monotonic clock', () => {
  it('counts whole milliseconds, whatever is done to the time of day', async () => {
    const before = systemClock.monotonicMs();
    vi.useFakeTimers({ now: 0, toFake: ['Date'] });
    const after = systemClock.monotonicMs();
    vi.useRealTimers();
    expect(Number.isInteger(after)).toBe(true);
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(10_000);
  });
});

describe('sleeping', () => {
  it('ends by itself, with and without a signal', async () => {
    await systemClock.sleep(1);
    await systemClock.sleep(1, new AbortController().signal);
  });

  it("rejects with the signal's own reason when it aborts, or has aborted before", async () => {
    const reason = new Error('deadline');
    const input = new AbortController();
    const sleeping = systemClock.sleep(60_000, input.signal);
    input.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('a timer', () => {
  it('calls back once its time has come, and never when it was stopped before', async () => {
    const called: string[] = [];
    systemClock.timer(1, () => called.push('kept'));
    systemClock.timer(1, () => called.push('stopped'))();
    await systemClock.sleep(20);
    expect(called).toEqual(['kept']);
  });
});
