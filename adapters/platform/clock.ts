// Time from the operating system.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/time/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => Math.round(performance.now()),
  async sleep(milliseconds, signal) {
    try {
      await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
    } catch (thrown) {
      // Node rejects with an AbortError of its own; the port promises the signal's reason.
      signal?.throwIfAborted();
      throw thrown;
    }
  },
};
