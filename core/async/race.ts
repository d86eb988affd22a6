// Waits with a bound, by time or by a signal. Work that is given up is left running and not waited for.
import type { Clock } from '../time/clock.ts';

/** The result of `work`, or a rejection once the time is up; the signal aborts then with the same reason. */
export async function within<Result>(
  clock: Pick<Clock, 'timer'>,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const stop = clock.timer(milliseconds, () => {
    const reason = new Error(`no answer within ${milliseconds} ms`);
    late.abort(reason);
    reject(reason);
  });
  try {
    return await Promise.race([work(late.signal), timeUp]);
  } finally {
    stop();
  }
}

/** Waits for work, but no longer than that: late work goes on by itself. Rejects as work does that fails in time. */
export async function waitAtMost(
  clock: Pick<Clock, 'timer'>,
  milliseconds: number,
  work: Promise<unknown>,
): Promise<void> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const stop = clock.timer(milliseconds, resolve);
  try {
    await Promise.race([work, timeUp]);
  } finally {
    stop();
  }
}

/** The result of `work`, or a rejection with the signal's reason as soon as it aborts. */
export async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * A signal that aborts with the first of several, until `end` is called. `AbortSignal.any` would do, but holds its sources by weak
 * references, which survive collections of young objects with everything that they refer to.
 */
export function firstAborted(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; end(): void } {
  const first = new AbortController();
  const ends = signals.map((signal) => {
    const onAbort = (): void => first.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  return {
    signal: first.signal,
    end() {
      for (const end of ends) end();
    },
  };
}
