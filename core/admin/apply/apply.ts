// Applies the changes of a plan. Every write is conditional; a conflict stops it.

import {
  type AdminStore,
  type NeuronRecord,
  type OrganizationRecord,
  type SecretAdmin,
  type VersionRecord,
  WriteConflict,
} from '../../ports/administration.ts';
import type { KeyAdmin } from '../../ports/keys.ts';
import type { Random } from '../../ports/platform.ts';
import { digestOf } from '../../text/canonical-json.ts';
import type { Clock } from '../../time/clock.ts';
import { toIso } from '../../time/iso.ts';
import { findPaths } from '../find-paths.ts';
import type { Change, PlannedVersion, VersionContent } from './changes.ts';
import { deployed, undeployed, versionId } from './deployments.ts';

export interface ApplyPorts {
  readonly store: AdminStore;
  readonly secrets: SecretAdmin;
  readonly keys: Pick<KeyAdmin, 'revokeAll'>;
  readonly clock: Clock;
  readonly random: Random;
  /** IAM principal that makes the changes. */
  readonly author: string;
  /** Stored with new versions: the reason for the change. */
  readonly message?: string | undefined;
}

/** Makes the changes in order and yields each one that is made. Throws `WriteConflict`; running `apply` again makes the rest. */
export async function* applyChanges(changes: readonly Change[], ports: ApplyPorts): AsyncGenerator<Change> {
  for (const change of changes) {
    await makeChange(change, ports);
    yield change;
  }
}

function makeChange(change: Change, ports: ApplyPorts): Promise<unknown> {
  switch (change.kind) {
    case 'create_organization':
      return createOrganization(change, ports);
    case 'update_organization':
      return updateOrganization(change, ports);
    case 'create_neuron':
      return createNeuron(change, ports);
    case 'update_neuron':
      return updateNeuron(change, ports);
    case 'delete_neuron':
      return deleteNeuron(change.organization, change.record, ports);
    case 'delete_organization':
      return deleteOrganization(change, ports);
  }
}

type Of<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

async function createOrganization(
  { organization, after }: Of<'create_organization'>,
  ports: ApplyPorts,
): Promise<void> {
  const id = mintId(ports.random);
  // Before the organization exists for requests, so that texts of its log can be hashed from the first one on.
  await ports.secrets.mintKeys(id);
  const record: OrganizationRecord = {
    id,
    slug: organization,
    document: after,
    pause: undefined,
    write: 0,
    ...stampNew(ports),
  };
  await ports.store.writeOrganization(record, 'absent');
}

async function updateOrganization(
  { record, after }: Of<'update_organization'>,
  ports: ApplyPorts,
): Promise<void> {
  await ports.secrets.mintKeys(record.id);
  await ports.store.writeOrganization({ ...record, document: after, ...stampUpdate(ports) }, record.write);
}

async function createNeuron(change: Of<'create_neuron'>, ports: ApplyPorts): Promise<void> {
  const { organization, neuron, after, version } = change;
  const owner = await ports.store.readOrganization(organization);
  if (owner === undefined) throw new WriteConflict(`organization ${organization}`);
  const record: NeuronRecord = {
    id: mintId(ports.random),
    organizationId: owner.id,
    slug: neuron,
    document: after,
    deployment: undefined,
    previewKeys: {},
    cacheGeneration: 0,
    latestVersion: undefined,
    deployments: 0,
    write: 0,
    ...stampNew(ports),
  };
  // Before the first call is counted under a digest. An organization of an earlier release has no such key yet.
  if (namesByDigest(after)) await ports.secrets.mintKeys(owner.id);
  await makeVersion(organization, record, version, ports);
  await ports.store.writeNeuron(organization, withVersion(record, version, undefined), 'absent');
}

async function updateNeuron(change: Of<'update_neuron'>, ports: ApplyPorts): Promise<void> {
  const { organization, record, after, version, deploy } = change;
  if (namesByDigest(after) && !namesByDigest(record.document))
    await ports.secrets.mintKeys(record.organizationId);
  // The version first: a neuron must never point at one that does not exist.
  await makeVersion(organization, record, version, ports);
  const next = { ...withVersion(record, version, deploy), document: after, ...stampUpdate(ports) };
  await ports.store.writeNeuron(organization, next, record.write);
}

/** True for a document with `access.jwt.usernameAs: hmac`. */
function namesByDigest(document: unknown): boolean {
  return findPaths(document, ['access', 'jwt', 'usernameAs']).some(({ value }) => value === 'hmac');
}

async function makeVersion(
  organization: string,
  { id: neuronId, slug }: NeuronRecord,
  version: PlannedVersion | undefined,
  ports: ApplyPorts,
): Promise<void> {
  if (version === undefined || version.exists) return;
  const record: VersionRecord = {
    id: versionId(version.number),
    number: version.number,
    neuronId,
    createdAt: nowOf(ports),
    author: ports.author,
    message: ports.message,
    ...version.content,
    flowDigest: digestOfContent(version.content),
  };
  await ports.store.createVersion(organization, record).catch((thrown: unknown) => {
    // The store knows the id of the neuron alone, which says nothing to an operator.
    if (!(thrown instanceof WriteConflict)) throw thrown;
    throw new WriteConflict(`version ${record.id} of neuron ${organization}/${slug}`);
  });
}

function digestOfContent({ flow, variables }: VersionContent): string {
  return digestOf(variables === undefined ? flow : { flow, variables });
}

/** The neuron with a version added, deployed, or both; every deployment has a number of its own. */
function withVersion(
  record: NeuronRecord,
  version: PlannedVersion | undefined,
  deploy: string | undefined,
): NeuronRecord {
  const latestVersion = version?.number ?? record.latestVersion;
  const toDeploy = version?.deploy === true ? versionId(version.number) : deploy;
  return toDeploy === undefined
    ? { ...record, latestVersion }
    : deployed({ ...record, latestVersion }, toDeploy);
}

async function deleteNeuron(
  organization: string,
  record: NeuronRecord,
  { store }: ApplyPorts,
): Promise<void> {
  // Undeployed first, so that callers never read a deployment whose version is gone.
  const without = await store.writeNeuron(organization, undeployed(record), record.write);
  for (const { id } of await store.listVersions(organization, record.id)) {
    await store.deleteVersion(organization, record.id, id);
  }
  await store.deleteNeuron(organization, without);
}

async function deleteOrganization(
  { record, neurons }: Of<'delete_organization'>,
  ports: ApplyPorts,
): Promise<void> {
  await ports.keys.revokeAll(record.id, nowOf(ports));
  for (const neuron of neurons) await deleteNeuron(record.slug, neuron, ports);
  await ports.secrets.removeAll(record.id);
  await ports.store.deleteOrganization(record);
}

/** 96 random bits in hex. Keys, counters, cache, versions and secrets belong to ids, so a reused slug inherits nothing. */
function mintId(random: Random): string {
  return Array.from(random.bytes(12), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function nowOf({ clock }: ApplyPorts): string {
  return toIso(clock.now());
}

function stampNew(ports: ApplyPorts) {
  const now = nowOf(ports);
  return { createdAt: now, updatedAt: now, updatedBy: ports.author };
}

function stampUpdate(ports: ApplyPorts) {
  return { updatedAt: nowOf(ports), updatedBy: ports.author };
}
