// What `neuron list` and `neuron versions list` print with --json. Types alone: the page of `neuron console` reads the same.

/** An organization. */
export interface ListedOrganization {
  readonly organization: string;
  readonly name: string;
  readonly paused: boolean;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** A neuron. */
export interface ListedNeuron {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  readonly name: string;
  /** The deployed version; null if none is. */
  readonly deployed: string | null;
  /** The newest version; null before the first. */
  readonly newest: string | null;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** A version. */
export interface ListedVersion {
  readonly version: string;
  readonly deployed: boolean;
  /** True when a preview key was made for it. */
  readonly previewKey: boolean;
  readonly createdAt: string;
  readonly author: string;
  readonly message: string | null;
}
