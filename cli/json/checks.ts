// What `neuron limits`, `neuron explain` and `neuron doctor` print with --json. Types alone: the page of `neuron console` reads the same.

/** A limit: cost in microdollars, null for counters that were not read, and for what runs at once do not have. */
export interface ListedLimit {
  readonly organization: string;
  /** Null for a usage limit of the organization or of one of its API keys. */
  readonly neuron: string | null;
  /** Of a limit of an API key. */
  readonly keyId: string | null;
  readonly metric: string;
  readonly scope: string;
  /** Null for runs at once. */
  readonly period: string | null;
  readonly used: number | null;
  readonly held: number | null;
  readonly limit: number;
  readonly remaining: number | null;
  readonly resetsAt: string | null;
}

/** One decision of access control. */
export interface ExplainedDecision {
  readonly credential: 'none' | 'a valid API key' | 'a valid JWT' | 'the given token';
  readonly outcome: string;
  /** Null where the caller is let in. */
  readonly status: number | null;
  readonly code: string | null;
  /** As what the caller is let in; null where it is not. */
  readonly authentication: string | null;
  readonly steps: readonly {
    readonly check: string;
    readonly verdict: string;
    readonly reason: string;
    readonly details?: readonly string[];
  }[];
}

/** The result of one check of `neuron doctor`. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Of a note too, which is ok. */
  readonly remedy: string | null;
}
