// Shapes that `neuron validate`, `neuron explain` and `neuron guards` print with --json. The page of `neuron console` reads the same.

/** Guards of a neuron: where each looks, and what it does. */
export interface ListedCoverage {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  /** All six, in one order. */
  readonly stages: readonly {
    readonly stage: string;
    /** False where the flow takes, or makes, nothing of the kind. */
    readonly reached: boolean;
    readonly guards: readonly {
      readonly guard: string;
      readonly type: string;
      readonly action: string;
      /** True for one that the organization has on every neuron. */
      readonly mandatory: boolean;
    }[];
  }[];
  /** Content that no guard sees, as far as the flow takes or makes any. */
  /** Guards that ask a service, with the cost of one question about the longest message; absent for none. */
  readonly services?: readonly {
    readonly guard: string;
    readonly type: string;
    readonly calls: number;
    /** Null where a price is not known. */
    readonly costMicrodollars: number | null;
  }[];
  readonly unseen: readonly {
    readonly kind: string;
    readonly stage: string;
    readonly fate: 'refused' | 'withheld' | 'passed';
    /** The guards that do not let it through. */
    readonly guards: readonly string[];
  }[];
  /** Null for a neuron that answers with vectors. */
  readonly stream: {
    readonly mode: 'live' | 'whole';
    /** True where a step or a schema of the flow makes it whole. */
    readonly flow: boolean;
    /** The guards that must see the end of an answer before any of it leaves. */
    readonly guards: readonly string[];
  } | null;
}

/** A text that `neuron guards test` has shown to guards; nothing of the text. */
export interface TestedLine {
  /** From 1; null without `--lines`. */
  readonly line: number | null;
  readonly stage: string;
  /** `failed`, with `error`: a service gave no verdict, and its guard closes. */
  readonly verdict: 'blocked' | 'changed' | 'failed' | 'flagged' | 'passed';
  readonly error?: string;
  readonly guards: readonly {
    readonly guard: string;
    readonly type: string;
    readonly action: string;
    readonly finds: readonly CountedFind[];
    /** From a service: its milliseconds, and why it gave no verdict. */
    readonly ms?: number;
    readonly notJudged?: string;
  }[];
}

export interface CountedFind {
  readonly type: string;
  readonly count: number;
}

/** `neuron guards report`. */
export interface ListedGuardReport {
  readonly organization: string;
  /** Null for the whole organization. */
  readonly neuron: string | null;
  /** The period that was read, in ISO 8601; the end is exclusive. */
  readonly from: string;
  readonly to: string;
  /** False where there were too many entries, and the oldest were not read. */
  readonly complete: boolean;
  /** Entries that were read, with and without finds. */
  readonly read: number;
  /** Requests with a find. */
  readonly requests: number;
  readonly guards: readonly {
    readonly neuron: string;
    readonly guard: string;
    readonly type: string;
    readonly stage: string;
    readonly action: string;
    readonly requests: number;
    readonly blocked: number;
    /** Requests that went through a guard with `flag`, and that `block` would have ended. */
    readonly wouldBlock: number;
    readonly finds: readonly CountedFind[];
  }[];
  readonly days: readonly {
    /** UTC. */
    readonly day: string;
    readonly requests: number;
    readonly blocked: number;
    readonly flagged: number;
  }[];
}
