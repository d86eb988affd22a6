// Ports to the stores that a request reads and writes. Every method throws on failure; a caller decides what that means.
import type { LogEntry } from '../contract/log-entry.ts';

/** State of an organization that commands set and no file holds. */
export interface OrganizationPause {
  readonly retryAfterSeconds: number;
}

/** An organization as stored; `document` is as written in the file and not yet judged. */
export interface StoredOrganization {
  readonly id: string;
  readonly slug: string;
  readonly document: unknown;
  readonly pause: OrganizationPause | undefined;
  /** Goes up by one with every write; conditional writes name it. */
  readonly write: number;
}

/** The deployed version of a neuron; every deployment, rollbacks included, has a number of its own. */
export interface Deployment {
  readonly version: string;
  readonly number: number;
}

/** A neuron as stored; `document` holds the settings without the flow. */
export interface StoredNeuron {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly document: unknown;
  readonly deployment: Deployment | undefined;
  /** Digests of preview keys by version id: SHA-256 in hex. */
  readonly previewKeys: Readonly<Record<string, string>>;
  /** Moved on by `neuron cache clear`. */
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

/** Settings by slug. */
export interface SettingsStore {
  read(organization: string, neuron: string): Promise<StoredSettings>;
}

/** A version as stored; it never changes. */
export interface StoredVersion {
  /** `v1`, `v2`, … in the order of making. */
  readonly id: string;
  readonly neuronId: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** IAM principal that made it. */
  readonly author: string;
  readonly message: string | undefined;
  /** The flow as written, files read in. */
  readonly flow: unknown;
}

/** Versions by organization slug, neuron id and version id. */
export interface VersionStore {
  read(organization: string, neuronId: string, version: string): Promise<StoredVersion | undefined>;
}

/** What an organization's secrets are for: one JSON secret each. `log` holds the HMAC key of `bodies: hash`. */
export type SecretPurpose = 'providers' | 'jwt' | 'log';

/** Secrets of an organization, by purpose and name. */
export interface SecretReader {
  /** The value, or undefined when no such secret is set. `fresh` skips the cache, at most once in 30 s per secret. */
  read(
    organizationId: string,
    purpose: SecretPurpose,
    name: string,
    detail?: { readonly fresh?: boolean },
  ): Promise<string | undefined>;
}

/** The audit trail; append-only. */
export interface LogStore {
  /** Puts one entry. False when the same execution id was there at the same time: that changes nothing. */
  put(entry: LogEntry): Promise<boolean>;
}
