// Shapes that the page and the server of `neuron console` exchange.

/** `GET /api/session` */
export interface ConsoleSession {
  /** Sent back as `X-CSRF-Token` with every change. */
  readonly csrfToken: string;
  readonly stack: string;
  readonly stage: string;
  readonly region: string | null;
  readonly url: string;
  readonly isLocal: boolean;
  readonly version: string;
  readonly transferMode: string;
}

export interface CommandResult<Value = unknown> {
  /** Values that `--json` prints, or texts where the operation prints text. */
  readonly values: readonly Value[];
  /** True where there are more values. */
  readonly more: boolean;
  readonly messages: readonly string[];
  readonly warnings: readonly string[];
  /** 0, or 1 where the command reports that something is wrong. */
  readonly exitCode: number;
  /** The command line that prints the same. */
  readonly command: string;
}

/** Body of every answer that is no success. */
export interface ConsoleFailure {
  readonly error: {
    readonly what: string;
    readonly why?: string | undefined;
    readonly remedy?: string | undefined;
  };
}

/** Calls of one interval. Latencies are in milliseconds, and null where nothing ran. */
export interface SeriesPoint {
  /** Start of the interval, in milliseconds since the Unix epoch. */
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

/** Sums of the calls of one neuron, user, key or code. */
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

/** `GET /api/series` yields several; the last one is complete. */
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
  readonly entries: number;
  /** False while older entries are still being read. */
  readonly isComplete: boolean;
  /** Earlier calls are missing: they are not read yet, or there were too many. Null where none is missing. */
  readonly cutBeforeMs: number | null;
  readonly command: string;
}

/** `POST /api/call` yields these: an event of a call in the playground. */
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
      /** Headers `x-…` of the answer, in lower case. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly body: { readonly error: string; readonly code: string | undefined };
      readonly headers: Readonly<Record<string, string>>;
    };
