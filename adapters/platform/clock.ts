// Time from the operating system.
import type { Clock } from '../../core/time/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => Math.round(performance.now()),
  // A request ends about ten sleeps early. `node:timers/promises` would make an AbortError with a stack for each.
  sleep(milliseconds, signal) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
    return promise;
  },
  timer(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
