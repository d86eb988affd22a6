// The port to time. Code of the domain that waits or asks for the time takes it as a parameter.

/** `now` is for expiry and timestamps, `monotonicMs` for durations; the window of a limit is taken from neither. */
export interface Clock {
  /** Milliseconds since the Unix epoch. The operating system may set it back. */
  now(): number;
  /** Whole milliseconds since an arbitrary moment. Never goes back, but may stand still while an environment is frozen. */
  monotonicMs(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after `milliseconds`, unless the returned function is called first. */
  timer(milliseconds: number, callback: () => void): () => void;
}

/** A moment by both times of a clock. */
export interface Moment {
  readonly epochMs: number;
  readonly monotonicMs: number;
}

export function momentOf(clock: Pick<Clock, 'now' | 'monotonicMs'>): Moment {
  return { epochMs: clock.now(), monotonicMs: clock.monotonicMs() };
}

/** Milliseconds since a moment, by the clock that shows more of them: no value is used too long when the other stands still or goes back. */
export function ageOf(clock: Pick<Clock, 'now' | 'monotonicMs'>, { epochMs, monotonicMs }: Moment): number {
  return Math.max(clock.now() - epochMs, clock.monotonicMs() - monotonicMs);
}
