// Ports to the platform: chance and the line printer. The domain has no other way to reach them; time is in core/time/clock.ts.

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

/** The path of the first value that a JSON Schema does not take, such as `/items/0`; undefined when it takes all. Rejects only where the validator itself cannot be had. */
export type ValidateJson = (
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
) => Promise<string | undefined>;
