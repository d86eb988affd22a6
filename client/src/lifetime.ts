// Bounds a call by its timeout and by the caller's signal.
import { NoAnswerError } from './error.ts';

/** With a longer time, `setTimeout` fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Lifetime {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal;
  /** Remaining milliseconds. */
  left(): number;
  /** Settles as the work does, or rejects with `NoAnswerError` as soon as the time is over, even if the work ignores the signal. */
  bound<T>(work: Promise<T>): Promise<T>;
  /** Waits. Rejects as `bound` does. */
  sleep(ms: number): Promise<void>;
  close(): void;
}

/** Starts the time limit of a call. Throws `TypeError` for a timeout that is not a positive number. */
export function startLifetime(timeout: number, callerSignal: AbortSignal | undefined): Lifetime {
  checkTimeout(timeout);
  const controller = new AbortController();
  const startedAt = performance.now();
  const timers: ReturnType<typeof setTimeout>[] = [];
  let over: NoAnswerError | undefined;
  let end: (error: NoAnswerError) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (error) => {
      over ??= error;
      controller.abort(over);
      reject(over);
    };
  });
  // The time may end while nothing awaits `ended`.
  ended.catch(() => undefined);

  const onAbort = () => end(new NoAnswerError('abort', 'The call was aborted.', callerSignal?.reason));
  const onTimeout = () => end(new NoAnswerError('timeout', `The call took longer than ${timeout} ms.`));
  if (callerSignal?.aborted) onAbort();
  callerSignal?.addEventListener('abort', onAbort);
  if (timeout !== Infinity) timers.push(setTimeout(onTimeout, Math.min(timeout, MAX_TIMER_MS)));

  const bound = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([ended, work]).catch((error: unknown) => {
      throw over ?? error;
    });
  return {
    signal: controller.signal,
    left: () => timeout - (performance.now() - startedAt),
    bound,
    sleep: (ms) =>
      bound(new Promise((resolve) => timers.push(setTimeout(resolve, Math.min(ms, MAX_TIMER_MS))))),
    close: () => {
      timers.forEach(clearTimeout);
      callerSignal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Throws `TypeError` for a timeout that is not a positive number. */
export function checkTimeout(timeout: number): number {
  if (typeof timeout === 'number' && timeout > 0) return timeout;
  throw new TypeError('timeout must be a positive number of milliseconds');
}
