// Ports to the platform: time, chance and the line printer. The domain has no other way to reach them.

/** Time. `now` is for deadlines, caches and stamps; the window of a limit is never taken from it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Chance. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** Cryptographically random bytes. */
  bytes(count: number): Uint8Array;
}

/** Standard output, a line at a time. */
export interface LineSink {
  /** Writes one line before it returns; adds the line end itself. `line` holds none. */
  write(line: string): void;
}
