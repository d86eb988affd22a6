// The time of one run, which goes on by the calls that it makes: a run from recordings takes as long as it took when they were made.
import type { Clock } from '../../time/clock.ts';

/** `now` in texts of a flow: the same in each run, so that requests stay the same. */
export const RUN_STARTS_MS = Date.UTC(2026, 0, 1);

export interface RunClock extends Clock {
  advance(milliseconds: number): void;
}

/** Waits and timers are those of the real clock. */
export function createRunClock(real: Pick<Clock, 'sleep' | 'timer'>): RunClock {
  let elapsedMs = 0;
  return {
    now: () => RUN_STARTS_MS + elapsedMs,
    monotonicMs: () => elapsedMs,
    async sleep(milliseconds, signal) {
      await real.sleep(milliseconds, signal);
      elapsedMs += milliseconds;
    },
    timer: real.timer,
    advance(milliseconds) {
      elapsedMs += milliseconds;
    },
  };
}

/** The time of a run that is made now, without recordings. */
export function createLiveClock(real: Clock): RunClock {
  const startedMs = real.monotonicMs();
  return { ...real, monotonicMs: () => real.monotonicMs() - startedMs, advance: () => undefined };
}
