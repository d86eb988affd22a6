// Ports of the command line: reads and conditional writes of settings, versions and states, and the names of secrets.

import type { RolloutStage } from '../settings/rollout-schema.ts';
import type {
  Maintenance,
  Pause,
  Rollout,
  Shadow,
  StoredNeuron,
  StoredOrganization,
  StoredVersion,
} from '../settings/stored-settings.ts';
import type { Counts, Sides } from '../statistics/e-process.ts';
import type { SecretPurpose } from './stores.ts';

/** The times of creation and last write, ISO 8601 in UTC, and the IAM principal of the latter. */
export interface WriteStamp {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** The id of the change before which the settings are again; only in the write that reverts them, for its entry in the log. */
interface RevertMark {
  readonly revertTo?: string;
}

/** A pause as a command sets it. */
export interface RecordedPause extends Pause {
  readonly since: string;
  readonly by: string;
}

/** Maintenance mode as `neuron maintenance on` sets it. */
export interface RecordedMaintenance extends Maintenance {
  readonly since: string;
  readonly by: string;
}

export interface OrganizationRecord extends StoredOrganization, WriteStamp, RevertMark {
  readonly pause: RecordedPause | undefined;
}

export interface NeuronRecord extends StoredNeuron, WriteStamp, RevertMark {
  readonly pause?: RecordedPause | undefined;
  /** The number of the newest version (`3` for `v3`); undefined before the first. */
  readonly latestVersion: number | undefined;
  /** The last deployment number used; undeploying does not lower it. */
  readonly deployments: number;
  /** Keeps the deployed version whatever is applied, until another is deployed by hand. */
  readonly hold?: VersionHold | undefined;
  readonly rollout?: RecordedRollout | undefined;
  readonly shadow?: RecordedShadow | undefined;
}

/** A shadow as a command sets it. */
export interface RecordedShadow extends Shadow {
  /** ISO 8601 in UTC. */
  readonly since: string;
  /** The IAM principal that began it. */
  readonly startedBy: string;
}

/** A rollout as commands set it. */
export interface RecordedRollout extends Rollout {
  readonly stages: readonly RolloutStage[];
  /** Index of the stage that is reached. */
  readonly stage: number;
  /** ISO 8601 in UTC. */
  readonly stageSince: string;
  /** By what the service stops it; absent in one that began before there were guards, and empty where only commands do. */
  readonly guards?: readonly string[] | undefined;
  /** From when runs are evidence: since it began, or was resumed. ISO 8601 in UTC. */
  readonly guardedSince?: string | undefined;
  /** The service stops it, or has done so. */
  readonly stop?: RolloutStop | undefined;
  /** Absent while callers are sent to the candidate; why they are not else. */
  readonly paused?: string | undefined;
  readonly since: string;
  /** The IAM principal that began it. */
  readonly startedBy: string;
}

/** Why the service stopped a rollout. */
export interface RolloutStop {
  /** ISO 8601 in UTC. It names the change and the event, which are made once however often the function begins again. */
  readonly at: string;
  readonly guard: string;
  /** How much more probable the counts are if the candidate is worse. */
  readonly evidence: number;
  readonly counts: Sides<Counts>;
  /** The event was sent. */
  readonly isTold: boolean;
}

/** Why, when and by whom a version was held. */
export interface VersionHold {
  readonly reason: string;
  /** ISO 8601 in UTC. */
  readonly since: string;
  /** IAM principal. */
  readonly by: string;
}

/** Everything stored on a version but its flow and variables, which lists leave out. */
export interface VersionSummary extends Omit<StoredVersion, 'flow' | 'variables'> {
  readonly number: number;
  /** SHA-256 in hex over the canonical JSON of the flow; of flow and variables where there are any. */
  readonly flowDigest: string;
}

export interface VersionRecord extends VersionSummary {
  readonly flow: unknown;
  readonly variables?: unknown;
}

/** The write number that the stored item must have; `absent`: there must be no item. */
export type ExpectedWrite = number | 'absent';

/**
 * Settings, versions and states, for operators. A write names the state that it expects and throws `WriteConflict` when there is
 * another; the store counts `write` up by one. Reads are strongly consistent.
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

  /** Writes the whole record and returns it with `write` counted up. Also sets and ends a pause. */
  writeOrganization(organization: OrganizationRecord, expected: ExpectedWrite): Promise<OrganizationRecord>;
  /**
   * Writes the whole record of a neuron of the organization with this slug, and the names of its `models`, all or nothing. Also moves the
   * deployment. Throws `NameConflict` where another neuron has one of its names.
   */
  writeNeuron(organization: string, neuron: NeuronRecord, expected: ExpectedWrite): Promise<NeuronRecord>;
  /** Throws `WriteConflict` when there is a version with this id: versions are written once. */
  createVersion(organization: string, version: VersionRecord): Promise<void>;
  /** Removes the organization's own item alone, after its neurons and secrets. */
  deleteOrganization(organization: OrganizationRecord): Promise<void>;
  /** Removes the neuron's own item and its names, after its versions. */
  deleteNeuron(organization: string, neuron: NeuronRecord): Promise<void>;
  /** Does nothing for a version that is gone. */
  deleteVersion(organization: string, neuronId: string, id: string): Promise<void>;
  /** Undefined ends maintenance. Not conditional: the last write wins, and nothing else depends on the item. */
  setMaintenance(maintenance: RecordedMaintenance | undefined): Promise<void>;
}

/** Thrown when the stored state is not the expected one. A class, to distinguish a conflict from a failure. */
export class WriteConflict extends Error {
  /** The item that was written, such as `organization acme` or `neuron acme/support`. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} was changed by someone else in the meantime`);
    this.name = 'WriteConflict';
    this.what = what;
  }
}

/** Thrown when a name of `models` is another neuron's, or a slug is: running the command again helps only once that one has released it. */
export class NameConflict extends WriteConflict {
  /** `ORGANIZATION/NEURON` that has the name. */
  readonly owner: string;

  constructor(name: string, owner: string) {
    super(owner);
    this.name = 'NameConflict';
    this.message = `the name ${name} is one of ${owner}: names are unique in an organization`;
    this.owner = owner;
  }
}

/** Thrown when a secret cannot be changed. A class, to distinguish an operator's problem from a defect. */
export class SecretError extends Error {
  /** How the operator can solve it. */
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretError';
    this.remedy = remedy;
  }
}

/** Secrets of organizations, for operators. No method returns a value; keys of the log are neither listed, set nor removed by name. */
export interface SecretAdmin {
  /** Names, sorted. */
  list(organizationId: string, purpose: SecretPurpose): Promise<readonly string[]>;
  /** Sets or replaces one value. When two operators set different names at once, both are stored. */
  set(organizationId: string, purpose: SecretPurpose, name: string, value: string): Promise<void>;
  /** False when there was no such name. */
  remove(organizationId: string, purpose: SecretPurpose, name: string): Promise<boolean>;
  /** Mints the HMAC keys of `bodies: hash` and `usernameAs: hmac`, each unless there is one. */
  mintKeys(organizationId: string): Promise<void>;
  /** Puts a new key in its place and keeps the earlier one; gives their ids. */
  rotateLogKey(
    organizationId: string,
  ): Promise<{ readonly current: string; readonly previous: string | undefined }>;
  /** Removes every secret of the organization, the log key included. */
  removeAll(organizationId: string): Promise<void>;
}
