// Deadlines: one abort signal for a whole run, passed to everything that waits.

import { ServiceError } from '../contract/service-error.ts';
import type { Clock } from './clock.ts';

/** A moment at which work is given up. */
export interface Deadline {
  /** Aborts when the moment is reached; its reason is the `ServiceError` `deadline_exceeded`. */
  readonly signal: AbortSignal;
  /** Milliseconds until then; 0 when it has passed. */
  remainingMs(): number;
  /** Clears the timer. Call it when the work has ended; the signal never aborts afterwards. */
  end(): void;
}

/** Starts a deadline that is reached after so many milliseconds, also when the time of day is changed meanwhile. */
export function startDeadline(clock: Clock, afterMs: number): Deadline {
  const reached = new AbortController();
  const atMs = clock.monotonicMs() + afterMs;
  const end = clock.timer(afterMs, () => reached.abort(new ServiceError('deadline_exceeded')));
  return { signal: reached.signal, remainingMs: () => Math.max(0, atMs - clock.monotonicMs()), end };
}
