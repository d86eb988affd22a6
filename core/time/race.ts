// Bounds a wait: the cache may cost a run some time, never all of it.
import type { Clock } from './clock.ts';

/** The longest wait for one read of the cache. Its store's client has bounds of its own; this holds whatever the store does. */
export const STORE_MS = 500;

/**
 * What `work` gives, or a rejection once the time is up. The signal aborts then; work that ignores it is left behind.
 */
export async function within<Result>(
  clock: Clock,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const done = new AbortController();
  const timeout = clock.sleep(milliseconds, done.signal).then(() => {
    const reason = new Error(`no answer within ${milliseconds} ms`);
    late.abort(reason);
    throw reason;
  });
  // When the work is done first, the sleep ends by rejecting, and nobody waits for it any more.
  timeout.catch(() => undefined);
  try {
    return await Promise.race([work(late.signal), timeout]);
  } finally {
    done.abort();
  }
}
