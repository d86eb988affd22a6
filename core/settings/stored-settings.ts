// Settings and versions as they are stored, and the ports to them. Every read throws on failure.

/** A pause of an organization, set by a command. */
export interface OrganizationPause {
  readonly retryAfterSeconds: number;
}

/** An organization as stored; `document` is as written in the file and not yet validated. */
export interface StoredOrganization {
  readonly id: string;
  readonly slug: string;
  readonly document: unknown;
  readonly pause: OrganizationPause | undefined;
  /** Counts writes; conditional writes name it. */
  readonly write: number;
}

/** The deployed version of a neuron; every deployment, rollbacks included, has a number of its own. */
export interface Deployment {
  readonly version: string;
  readonly number: number;
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
  readonly previewKeys: PreviewKeys;
  /** Counted up by `neuron cache clear`. */
  readonly cacheGeneration: number;
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
}

export interface VersionStore {
  read(organization: string, neuronId: string, version: string): Promise<StoredVersion | undefined>;
}
