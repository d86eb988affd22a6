// The use of a neuron's run.

/** Cost and tokens of a run. */
export interface NeuronUse {
  /** Integer microdollars; null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
}

export const NOTHING_USED: NeuronUse = { costMicrodollars: 0, tokensInput: 0, tokensOutput: 0 };
