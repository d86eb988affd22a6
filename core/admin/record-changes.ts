// Wraps the ports of operators, so that every change leaves an entry in the change log.

import type { ChangeAction, ChangeDescription } from '../contract/change-entry.ts';
import type { AdminStore, NeuronRecord, OrganizationRecord, SecretAdmin } from '../ports/administration.ts';
import type { KeyAdmin } from '../ports/keys.ts';
import type { SecretPurpose } from '../ports/stores.ts';
import { contentOf } from './apply/changes.ts';
import { describeNeuron, describeOrganization } from './describe-change.ts';
import { type ChangeRecorderPorts, createRecordChange, type RecordChange } from './record-change.ts';

const PURPOSES = ['providers', 'jwt'] as const satisfies readonly SecretPurpose[];

/** Describes a change of a key or secret, which refer to the id of their organization. */
type DescribeOwned = (
  action: ChangeAction,
  organizationId: string,
  before: unknown,
  after: unknown,
) => ChangeDescription;

interface RecordedPorts extends ChangeRecorderPorts {
  readonly store: AdminStore;
  readonly keys: KeyAdmin;
  readonly secrets: SecretAdmin;
}

/** Wrapping them in one place means that no command can forget its entry. */
export function recordChanges<Ports extends RecordedPorts>(
  ports: Ports,
): Ports & { readonly recordChange: RecordChange } {
  const record = createRecordChange(ports);
  const slugs = new Map<string, string>();
  const describe: DescribeOwned = (action, organizationId, before, after) => ({
    actions: [action],
    organization: slugs.get(organizationId) ?? organizationId,
    organizationId,
    before,
    after,
  });
  return {
    ...ports,
    recordChange: record,
    store: recordStoreChanges(rememberSlugs(ports.store, slugs), record, slugs),
    keys: recordKeyChanges(ports.keys, record, describe),
    secrets: recordSecretChanges(ports.secrets, record, describe),
  };
}

/** The log is queried by slug, but keys and secrets have only the id. Every command reads the organization first. */
function rememberSlugs(store: AdminStore, slugs: Map<string, string>): AdminStore {
  const remember = <Record extends OrganizationRecord | undefined>(record: Record): Record => {
    if (record !== undefined) slugs.set(record.id, record.slug);
    return record;
  };
  return {
    ...store,
    readOrganization: async (slug) => remember(await store.readOrganization(slug)),
    listOrganizations: async () => (await store.listOrganizations()).map(remember),
    writeOrganization: async (organization, expected) =>
      remember(await store.writeOrganization(organization, expected)),
  };
}

function recordStoreChanges(
  store: AdminStore,
  record: RecordChange,
  slugs: ReadonlyMap<string, string>,
): AdminStore {
  const readNeuron = async (organization: string, slug: string): Promise<NeuronRecord | undefined> => {
    const owner = await store.readOrganization(organization);
    return owner === undefined ? undefined : store.readNeuron(owner, slug);
  };
  return {
    ...store,
    async writeOrganization(after, expected) {
      // The conditional write fails unless the stored record is the expected one, so this is the record that it replaces.
      const before = expected === 'absent' ? undefined : await store.readOrganization(after.slug);
      return record(describeOrganization(before, after), () => store.writeOrganization(after, expected));
    },
    async writeNeuron(organization, after, expected) {
      const before = expected === 'absent' ? undefined : await readNeuron(organization, after.slug);
      return record(describeNeuron(organization, before, after), () =>
        store.writeNeuron(organization, after, expected),
      );
    },
    deleteOrganization: (organization) =>
      record(describeOrganization(organization, undefined), () => store.deleteOrganization(organization)),
    deleteNeuron: (organization, neuron) =>
      record(describeNeuron(organization, neuron, undefined), () => store.deleteNeuron(organization, neuron)),
    ...recordVersionChanges(store, record, slugs),
    async setMaintenance(after) {
      const before = await store.readMaintenance();
      const action = after === undefined ? 'maintenance_off' : 'maintenance_on';
      await record(
        { actions: [action], before, after },
        () => store.setMaintenance(after),
        () => before !== undefined || after !== undefined,
      );
    },
  };
}

function recordVersionChanges(
  store: AdminStore,
  record: RecordChange,
  slugs: ReadonlyMap<string, string>,
): Pick<AdminStore, 'createVersion' | 'deleteVersion'> {
  const ownerOf = (organization: string, neuronId: string) => {
    const [organizationId] = [...slugs].findLast(([, slug]) => slug === organization) ?? [];
    return { organization, organizationId, neuronId };
  };
  return {
    createVersion: (organization, version) => {
      const { id, message } = version;
      const owner = ownerOf(organization, version.neuronId);
      const after = { version: id, message, ...contentOf(version) };
      return record({ actions: ['create_version'], ...owner, before: undefined, after }, () =>
        store.createVersion(organization, version),
      );
    },
    async deleteVersion(organization, neuronId, id) {
      const found = await store.readVersion(organization, neuronId, id);
      const before = found === undefined ? undefined : { version: id, ...contentOf(found) };
      const owner = ownerOf(organization, neuronId);
      await record(
        { actions: ['delete_version'], ...owner, before, after: undefined },
        () => store.deleteVersion(organization, neuronId, id),
        () => found !== undefined,
      );
    },
  };
}

/** Digests of keys are not recorded. */
function recordKeyChanges(keys: KeyAdmin, record: RecordChange, describe: DescribeOwned): KeyAdmin {
  return {
    ...keys,
    create: (digest, key) =>
      record(
        describe('create_key', key.organizationId, undefined, key),
        () => keys.create(digest, key),
        (isCreated) => isCreated,
      ),
    revoke: (organizationId, keyId, revokedAt) =>
      record(
        describe('revoke_key', organizationId, { keyId }, { keyId, revokedAt }),
        () => keys.revoke(organizationId, keyId, revokedAt),
        (outcome) => outcome === 'revoked',
      ),
    async change(organizationId, keyId, change) {
      const before = await keys.find(organizationId, keyId);
      const names = Object.keys(change) as (keyof typeof change)[];
      const changed = Object.fromEntries(names.map((name) => [name, before?.[name] ?? null]));
      return record(
        describe('update_key', organizationId, { keyId, ...changed }, { keyId, ...change }),
        () => keys.change(organizationId, keyId, change),
        (outcome) => outcome === 'changed',
      );
    },
    rotate(organizationId, keyId, rotation) {
      const { digest: _digest, rotatedAt, overlapEndsAt, lastFour } = rotation;
      return record(
        describe('rotate_key', organizationId, { keyId }, { keyId, lastFour, rotatedAt, overlapEndsAt }),
        () => keys.rotate(organizationId, keyId, rotation),
        (outcome) => outcome === 'rotated',
      );
    },
    revokeAll: (organizationId, revokedAt) =>
      record(
        describe('revoke_all_keys', organizationId, undefined, { revokedAt }),
        () => keys.revokeAll(organizationId, revokedAt),
        (revoked) => revoked > 0,
      ),
  };
}

/** Minting the key of `bodies: hash` has no entry, since it comes with the organization. */
function recordSecretChanges(
  secrets: SecretAdmin,
  record: RecordChange,
  describe: DescribeOwned,
): SecretAdmin {
  const find = async (organizationId: string, purpose: SecretPurpose, name: string) =>
    (await secrets.list(organizationId, purpose)).includes(name) ? { name, for: purpose } : undefined;
  return {
    ...secrets,
    async set(organizationId, purpose, name, value) {
      const before = await find(organizationId, purpose, name);
      const description = describe('set_secret', organizationId, before, { name, for: purpose });
      await record(description, () => secrets.set(organizationId, purpose, name, value));
    },
    async remove(organizationId, purpose, name) {
      const before = await find(organizationId, purpose, name);
      return record(
        describe('remove_secret', organizationId, before ?? { name, for: purpose }, undefined),
        () => secrets.remove(organizationId, purpose, name),
        (removed) => removed,
      );
    },
    rotateLogKey: (organizationId) =>
      record(describe('rotate_log_key', organizationId, undefined, { for: 'log' }), () =>
        secrets.rotateLogKey(organizationId),
      ),
    async removeAll(organizationId) {
      const lists = await Promise.all(
        PURPOSES.map(async (purpose) =>
          (await secrets.list(organizationId, purpose)).map((name) => ({ name, for: purpose })),
        ),
      );
      await record(describe('remove_all_secrets', organizationId, lists.flat(), undefined), () =>
        secrets.removeAll(organizationId),
      );
    },
  };
}
