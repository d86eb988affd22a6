// The system's clock keeps the port's promises on sleeping.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../adapters/platform/clock.ts';

describe('sleeping', () => {
  it('ends by itself, with and without a signal', async () => {
    await systemClock.sleep(1);
    await systemClock.sleep(1, new AbortController().signal);
  });

  it("rejects with the signal's own reason when it aborts, or has aborted before", async () => {
    const reason = new Error('deadline');
    const given = new AbortController();
    const sleeping = systemClock.sleep(60_000, given.signal);
    given.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
