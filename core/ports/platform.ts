// Ports to the platform: random numbers, standard output, the validator of JSON Schemas. Time is in core/time/clock.ts.

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

/**
 * Why a value is not known to fit a JSON Schema. `path`: of a value that does not fit, such as `/items/0`. `unchecked`: the schema takes more
 * work than is spent on one, or cannot be read.
 */
export type SchemaMismatch = { readonly path: string } | { readonly unchecked: 'cost' | 'schema' };

/**
 * Undefined where the value fits. Bounded in time and memory, whatever the schema. Rejects when `checkTime`, which is called now and
 * then, throws, and when the validator cannot be loaded.
 */
export type ValidateJson = (
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  checkTime: () => void,
) => Promise<SchemaMismatch | undefined>;
