// The port to time. Whatever in the domain waits, or asks what time it is, takes it as a parameter.

/** Time. `now` is for deadlines, caches and stamps; the window of a limit is never taken from it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
