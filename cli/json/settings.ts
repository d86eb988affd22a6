// Shapes that `neuron list` and `neuron versions list` print with --json. The page of `neuron console` reads the same.
import type { Block } from '../../core/settings/stored-settings.ts';

export interface ListedOrganization {
  readonly organization: string;
  readonly name: string;
  readonly paused: boolean;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

export interface ListedNeuron {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  readonly name: string;
  readonly deployed: string | null;
  /** The newest version; null before the first. */
  readonly newest: string | null;
  readonly paused: boolean;
  /** Its members of `access`, such as `apiKey`; empty where every call is answered 403. */
  readonly access: readonly string[];
  /** The number of its rate limits. */
  readonly rateLimits: number;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** A place that asks a provider; of a flow, in a version that answers calls. */
export interface ListedProviderUse {
  /** `ORG/NEURON`, or `ORG` for a guard of its library. */
  readonly neuron: string;
  /** Null for a place outside of the flow, which has no versions. */
  readonly version: string | null;
  /** `flow[0].callModel`. */
  readonly at: string;
  readonly model: string | null;
}

export interface ListedVersion {
  readonly version: string;
  readonly deployed: boolean;
  /** The share of callers that a rollout sends to it, such as `5%`; absent where none does. */
  readonly rollout?: string;
  /** True when it has a preview key. */
  readonly previewKey: boolean;
  readonly createdAt: string;
  readonly author: string;
  readonly message: string | null;
}

export interface VersionDifference {
  readonly from: string;
  readonly to: string;
  /** Lines of the flow in YAML: `-` of `from`, `+` of `to`, a blank for what is in both, and `…` for what is left out. None where both are equal. */
  readonly lines: readonly string[];
}

/** A run of `neuron versions try`. */
export interface VersionRun {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  /** Null for a draft. */
  readonly version: string | null;
  /** Null for a run that failed. */
  readonly output: string | null;
  /** The error code of a run that failed, else null. */
  readonly code: string | null;
  readonly reason: string | null;
  readonly latencyMs: number | null;
  /** Null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
}

/** A block that has not ended. */
export interface ListedBlock extends Block {
  /** `ORG` or `ORG/NEURON`. */
  readonly target: string;
}
