// Settings and versions as they are stored, and the ports to them. Every read throws on failure.
import type { RolloutSubject } from './rollout-schema.ts';

/** A pause of an organization, a neuron or an API key, set by a command. */
export interface Pause {
  readonly retryAfterSeconds: number;
  /** ISO 8601 in UTC; without it the pause lasts until a command ends it. */
  readonly until?: string | undefined;
}

/** A block of a user (by name), an address or a range of them, or an API key (by id), as a command sets it. */
export interface Block {
  readonly kind: 'user' | 'ip' | 'key';
  readonly value: string;
  /** ISO 8601 in UTC. */
  readonly until: string;
  readonly since: string;
  /** IAM principal. */
  readonly by: string;
}

/** An organization as stored; `document` is as written in the file and not yet validated. */
export interface StoredOrganization {
  readonly id: string;
  readonly slug: string;
  readonly document: unknown;
  readonly pause: Pause | undefined;
  readonly blocks?: readonly Block[] | undefined;
  /** Counts writes; conditional writes name it. */
  readonly write: number;
}

/** The deployed version of a neuron; every deployment, rollbacks included, has a number of its own. */
export interface Deployment {
  readonly version: string;
  readonly number: number;
}

/** A share of a neuron's callers whom another version answers than the deployed one, its control. */
export interface Rollout {
  /** Salts the buckets, so that two rollouts are independent of each other. */
  readonly id: string;
  readonly candidate: string;
  /** The share in hundredths of a percent: 500 for 5 %. */
  readonly basisPoints: number;
  readonly by: RolloutSubject;
}

/** A share of a neuron's runs that another version repeats after their answers, which nobody gets. */
export interface Shadow {
  /** Salts the buckets, and names the counter of the budget. */
  readonly id: string;
  readonly version: string;
  /** The share in hundredths of a percent: 500 for 5 %. */
  readonly basisPoints: number;
  /** Microdollars that its model calls may cost in all. */
  readonly budgetMicrodollars: number;
  /** When it ends by itself, ISO 8601 in UTC. */
  readonly until: string;
}

/** Digests of preview keys by version id: SHA-256 in hex. */
export type PreviewKeys = Readonly<Record<string, string>>;

/** A neuron as stored; `document` holds the settings without the flow. */
export interface StoredNeuron {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly document: unknown;
  readonly deployment: Deployment | undefined;
  readonly rollout?: Rollout | undefined;
  readonly shadow?: Shadow | undefined;
  readonly previewKeys: PreviewKeys;
  /** Counted up by `neuron cache clear`. */
  readonly cacheGeneration: number;
  readonly pause?: Pause | undefined;
  readonly blocks?: readonly Block[] | undefined;
  readonly write: number;
}

/** Maintenance mode of the whole service. */
export interface Maintenance {
  readonly retryAfterSeconds: number;
}

/** Everything about one neuron that is not versioned, from one strongly consistent read. */
export interface StoredSettings {
  readonly organization: StoredOrganization | undefined;
  readonly neuron: StoredNeuron | undefined;
  readonly maintenance: Maintenance | undefined;
}

export interface SettingsStore {
  read(organization: string, neuron: string): Promise<StoredSettings>;
}

/** A name of a neuron's `models` as it is stored for look-ups: written with the neuron, and unique in its organization. */
export interface StoredModelName {
  readonly name: string;
  /** The slug of the neuron. */
  readonly neuron: string;
  /** A slug that is used again inherits no name. */
  readonly neuronId: string;
  readonly organizationId: string;
}

/** Names of neurons, for calls of an organization's URL. */
export interface ModelNameStore {
  /** Those that are stored, in the order of `names`, of which there are at most 100: one strongly consistent read. */
  find(organization: string, names: readonly string[]): Promise<readonly StoredModelName[]>;
}

/** The neurons of an organization, for the list of models. */
export interface NeuronListStore {
  /** Every neuron under the organization's slug, by slug, page by page; and, before them, what closes them all. */
  list(organization: string): Promise<StoredNeuronList>;
}

export interface StoredNeuronList {
  readonly organization: StoredOrganization | undefined;
  readonly maintenance: Maintenance | undefined;
  readonly neurons: readonly StoredNeuron[];
}

/** Organizations by slug, without their neurons. */
export interface OrganizationStore {
  read(slug: string): Promise<StoredOrganization | undefined>;
}

/** A version as stored; it never changes. */
export interface StoredVersion {
  /** `v1`, `v2`, … in order of creation. */
  readonly id: string;
  readonly neuronId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** The IAM principal that created it. */
  readonly author: string;
  readonly message: string | undefined;
  /** The flow as written, with the text of files in it. */
  readonly flow: unknown;
  /** The declarations as written; absent without any. */
  readonly variables?: unknown;
}

export interface VersionStore {
  read(organization: string, neuronId: string, version: string): Promise<StoredVersion | undefined>;
}
