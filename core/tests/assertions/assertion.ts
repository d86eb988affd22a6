// The outcome of an assertion, and what it may look at.
import type { ValidateJson } from '../../ports/platform.ts';

/** An answer as assertions see it. */
export interface TestedAnswer {
  readonly output: string;
  /** Milliseconds that its model calls took; undefined where they are unknown. */
  readonly latencyMs: number | undefined;
  /** Integer microdollars; null where a model has no price. */
  readonly costMicrodollars: number | null;
}

/** A judgement by a model: `score` from 0 to 1. */
export interface Judgement {
  readonly pass: boolean;
  readonly score: number;
  readonly reason: string;
}

export interface AssertionPorts {
  readonly validateJson: ValidateJson;
  /** Throws where the judge gives no judgement. */
  judge(rubric: string, output: string): Promise<Judgement>;
  /** The cosine of the vectors of two texts. Throws where there are none. */
  similarity(one: string, other: string): Promise<number>;
}

/** `reason` says why it failed, or by what it passed. */
export type AssertionVerdict = Judgement;

/** The outcome of one assertion of a run. */
export interface AssertionResult extends AssertionVerdict {
  readonly type: string;
  readonly weight: number;
  readonly metric?: string;
  readonly critical?: true;
  /** Those of an `assert-set`. */
  readonly parts?: readonly AssertionResult[];
}
