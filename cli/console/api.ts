// What the page and the server of `neuron console` send each other. Types alone: both sides import them.

/** The answer of `GET /api/session`. */
export interface ConsoleSession {
  /** Sent back as `X-CSRF-Token` with every change. */
  readonly csrfToken: string;
  readonly stack: string;
  readonly stage: string;
  readonly region: string | null;
  readonly url: string;
  readonly isLocal: boolean;
  /** Of this command. */
  readonly version: string;
  readonly transferMode: string;
}

/** What a command printed. */
export interface CommandResult<Value = unknown> {
  /** Results: what `--json` prints, or the text where the operation asks for text. */
  readonly values: readonly Value[];
  /** True where more values would have followed. */
  readonly more: boolean;
  readonly messages: readonly string[];
  readonly warnings: readonly string[];
  /** 0, or 1 where the command says that something is wrong. */
  readonly exitCode: number;
  /** The same on a command line. */
  readonly command: string;
}

/** The body of every answer that is not a success. */
export interface ConsoleFailure {
  readonly error: {
    readonly what: string;
    readonly why?: string | undefined;
    readonly remedy?: string | undefined;
  };
}

/** Calls of one interval. Latencies in milliseconds; null where nothing ran. */
export interface SeriesPoint {
  /** Where the interval begins, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly success: number;
  readonly stopped: number;
  readonly failed: number;
  readonly refused: number;
  readonly cacheHits: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** The sum of calls that have something in common. */
export interface SeriesGroup {
  readonly name: string;
  readonly requests: number;
  readonly failed: number;
  readonly refused: number;
  readonly tokens: number;
  readonly costMicrodollars: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** What `GET /api/series` yields, the last one complete. */
export interface Series {
  readonly intervalMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly points: readonly SeriesPoint[];
  readonly totals: SeriesGroup;
  readonly unknownCosts: number;
  readonly neurons: readonly SeriesGroup[];
  readonly users: readonly SeriesGroup[];
  readonly keys: readonly SeriesGroup[];
  readonly codes: readonly SeriesGroup[];
  /** Entries that were read. */
  readonly entries: number;
  /** False while older entries are still read. */
  readonly isComplete: boolean;
  /** Calls before this time are missing: they are not read yet, or there were too many. Null for none. */
  readonly cutBeforeMs: number | null;
  readonly command: string;
}

/** What a call of the playground yields. */
export type CallEvent =
  | { readonly kind: 'delta'; readonly text: string }
  | {
      readonly kind: 'result';
      readonly status: number;
      readonly body: {
        readonly output?: string;
        readonly toolCalls?: readonly unknown[];
        readonly fromCache: boolean;
        readonly executionStopped: boolean;
      };
      /** `x-…` of the answer, in lower case. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly body: { readonly error: string; readonly code: string | undefined };
      readonly headers: Readonly<Record<string, string>>;
    };
