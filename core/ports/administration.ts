// Ports of the command line: reads and conditional writes of settings, versions and states, and the names of secrets.

import type {
  Maintenance,
  OrganizationPause,
  StoredNeuron,
  StoredOrganization,
  StoredVersion,
} from '../settings/stored-settings.ts';
import type { SecretPurpose } from './stores.ts';

/** Who wrote last and when; `by` is an IAM principal, times are ISO 8601 in UTC. */
export interface WriteStamp {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** A pause as `neuron organization pause` sets it. */
export interface RecordedPause extends OrganizationPause {
  readonly since: string;
  readonly by: string;
}

/** Maintenance mode as `neuron maintenance on` sets it. */
export interface RecordedMaintenance extends Maintenance {
  readonly since: string;
  readonly by: string;
}

/** Everything stored on an organization. */
export interface OrganizationRecord extends StoredOrganization, WriteStamp {
  readonly pause: RecordedPause | undefined;
}

/** Everything stored on a neuron. */
export interface NeuronRecord extends StoredNeuron, WriteStamp {
  /** The number of the newest version (`3` for `v3`); undefined before the first. */
  readonly latestVersion: number | undefined;
  /** The last deployment number used; it only goes up, also across undeploying. */
  readonly deployments: number;
}

/** Everything stored on a version but its flow, which lists leave out. */
export interface VersionSummary extends Omit<StoredVersion, 'flow'> {
  readonly number: number;
  /** SHA-256 in hex over the flow's canonical JSON. */
  readonly flowDigest: string;
}

/** Everything stored on a version. */
export interface VersionRecord extends VersionSummary {
  readonly flow: unknown;
}

/** The write number that the stored item must have; `absent`: there must be none. */
export type Expected = number | 'absent';

/**
 * Settings, versions and states, for operators. A write names what it expects to find and throws `WriteConflict` when
 * something else is there; the store counts `write` up by one. Reads are strongly consistent.
 */
export interface AdminStore {
  /** Every organization, by slug. Reads the whole table. */
  listOrganizations(): Promise<readonly OrganizationRecord[]>;
  readOrganization(slug: string): Promise<OrganizationRecord | undefined>;
  /** The organization's neurons, by slug; neurons of an earlier organization of the same slug are not among them. */
  listNeurons(organization: OrganizationRecord): Promise<readonly NeuronRecord[]>;
  /** Undefined also for a neuron of an earlier organization of the same slug. */
  readNeuron(organization: OrganizationRecord, slug: string): Promise<NeuronRecord | undefined>;
  /** Newest first, without flows. */
  listVersions(organization: string, neuronId: string): Promise<readonly VersionSummary[]>;
  readVersion(organization: string, neuronId: string, id: string): Promise<VersionRecord | undefined>;
  readMaintenance(): Promise<RecordedMaintenance | undefined>;

  /** Writes the whole record but for `write`, which it returns counted up. Also sets and ends a pause. */
  writeOrganization(organization: OrganizationRecord, expected: Expected): Promise<OrganizationRecord>;
  /** Writes the whole record of a neuron of the organization with this slug. Also moves the deployment. */
  writeNeuron(organization: string, neuron: NeuronRecord, expected: Expected): Promise<NeuronRecord>;
  /** A version is written once: throws `WriteConflict` when there is one with this id. */
  createVersion(organization: string, version: VersionRecord): Promise<void>;
  /** Removes the organization's own item alone; its neurons and secrets go before it. */
  deleteOrganization(organization: OrganizationRecord): Promise<void>;
  /** Removes the neuron's own item alone; its versions go before it. */
  deleteNeuron(organization: string, neuron: NeuronRecord): Promise<void>;
  /** Removing a version that is gone changes nothing. */
  deleteVersion(organization: string, neuronId: string, id: string): Promise<void>;
  /** Undefined ends maintenance. Not conditional: the last operator decides, and nothing else hangs on the item. */
  setMaintenance(maintenance: RecordedMaintenance | undefined): Promise<void>;
}

/** Thrown when the stored state is not what a write expected. A class, to distinguish a conflict from a failure. */
export class WriteConflict extends Error {
  /** What was being written, such as `organization acme` or `neuron acme/support`. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} was changed by someone else in the meantime`);
    this.name = 'WriteConflict';
    this.what = what;
  }
}

/** Thrown when a secret cannot take a change. A class so that what an operator can solve is told from a defect. */
export class SecretRejected extends Error {
  /** What the operator can do. */
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretRefused';
    this.remedy = remedy;
  }
}

/** What operators may set secrets for; the `log` secret is minted and never shown or set. */
export type OperatorSecretPurpose = Exclude<SecretPurpose, 'log'>;

/** Secrets of organizations, for operators. No method returns a value. */
export interface SecretAdmin {
  /** Names, sorted. */
  list(organizationId: string, purpose: OperatorSecretPurpose): Promise<readonly string[]>;
  /** Sets or replaces one value; two operators setting different names at once lose neither. */
  set(organizationId: string, purpose: OperatorSecretPurpose, name: string, value: string): Promise<void>;
  /** False when there was no such name. */
  remove(organizationId: string, purpose: OperatorSecretPurpose, name: string): Promise<boolean>;
  /** Mints the HMAC key of `bodies: hash`; keeps the one that is there. */
  mintLogKey(organizationId: string): Promise<void>;
  /** Removes every secret of the organization, the log key included; removing what is gone changes nothing. */
  removeAll(organizationId: string): Promise<void>;
}
