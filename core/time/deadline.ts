// Deadlines: one abort signal for a whole run, made once and given to everything that waits.
import { ServiceError } from '../contract/service-error.ts';
import type { Clock } from './clock.ts';

/** A moment at which work is given up. */
export interface Deadline {
  /** Aborts when the moment is reached; its reason is the `ServiceError` `deadline_exceeded`. */
  readonly signal: AbortSignal;
  /** Milliseconds until then; 0 when it has passed. */
  remainingMs(): number;
  /** Lets go of the timer. Call it when the work is over; the signal never aborts afterwards. */
  end(): void;
}

/** Starts a deadline at `atMs`, milliseconds since the Unix epoch by `clock`. */
export function startDeadline(clock: Clock, atMs: number): Deadline {
  const reached = new AbortController();
  const ended = new AbortController();
  const remainingMs = (): number => Math.max(0, atMs - clock.now());
  clock.sleep(remainingMs(), ended.signal).then(
    () => reached.abort(new ServiceError('deadline_exceeded')),
    // Ended before the moment came: nothing is left to give up.
    () => undefined,
  );
  return { signal: reached.signal, remainingMs, end: () => ended.abort() };
}
