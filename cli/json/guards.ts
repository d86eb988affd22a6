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
