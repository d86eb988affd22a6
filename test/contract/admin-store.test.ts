// What every AdminStore does, held against the one in memory and the one in DynamoDB alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createSettingsStore, createVersionStore } from '../../adapters/dynamodb/config-store.ts';
import { createModelNameStore } from '../../adapters/dynamodb/names/model-name-store.ts';
import {
  type NeuronRecord,
  type OrganizationRecord,
  type VersionRecord,
  WriteConflict,
} from '../../core/ports/administration.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryConfig, type MemoryConfig } from '../support/memory/admin-store.ts';
import { stamp, undeployed } from './records.ts';

function organization(slug: string, change: Partial<OrganizationRecord> = {}): OrganizationRecord {
  const document = { organization: slug, providers: { demo: { type: 'echo' } }, prices: { 'demo/m': 0.4 } };
  return { id: `id-of-${slug}`, slug, document, pause: undefined, write: 0, ...stamp, ...change };
}

function neuron(slug: string, change: Partial<NeuronRecord> = {}): NeuronRecord {
  return {
    id: `id-of-${slug}`,
    organizationId: 'id-of-acme',
    slug,
    document: { neuron: `acme/${slug}`, access: { public: true }, rateLimits: [] },
    ...undeployed,
    ...change,
  };
}

function version(number: number, change: Partial<VersionRecord> = {}): VersionRecord {
  return {
    id: `v${number}`,
    number,
    neuronId: 'id-of-hello',
    createdAt: stamp.createdAt,
    author: stamp.updatedBy,
    message: undefined,
    flow: [{ stop: {} }],
    flowDigest: 'd1',
    ...change,
  };
}

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

async function createDynamoDbConfig(): Promise<MemoryConfig> {
  const { client, tables } = dynamoDb;
  const admin = createAdminStore(client, tables.config);
  for (const stored of await admin.listOrganizations()) await admin.deleteOrganization(stored);
  await admin.setMaintenance(undefined);
  return {
    admin,
    settings: createSettingsStore(client, tables.config),
    versions: createVersionStore(client, tables.config),
    modelNames: createModelNameStore(client, tables.config),
  };
}

describe.each([
  ['memory', async () => createMemoryConfig()],
  ['DynamoDB', createDynamoDbConfig],
])('a store in %s', (_, create) => {
  let { admin, settings, versions }: MemoryConfig = createMemoryConfig();
  beforeEach(async () => {
    ({ admin, settings, versions } = await create());
  });

  it('gives back an organization as it was written, its write number counted up', async () => {
    const created = await admin.writeOrganization(organization('acme'), 'absent');
    expect(created).toEqual({ ...organization('acme'), write: 1 });
    expect(await admin.readOrganization('acme')).toEqual(created);
    const pause = { retryAfterSeconds: 60, since: stamp.createdAt, by: 'ada' };
    const paused = await admin.writeOrganization({ ...created, pause }, 1);
    expect(await admin.readOrganization('acme')).toEqual({ ...organization('acme'), pause, write: 2 });
    expect((await settings.read('acme', 'hello')).organization?.pause?.retryAfterSeconds).toBe(60);
    await admin.writeOrganization({ ...paused, pause: undefined }, 2);
    expect((await admin.readOrganization('acme'))?.pause).toBeUndefined();
  });

  it('refuses to create an organization that is there', async () => {
    await admin.writeOrganization(organization('acme'), 'absent');
    const again = admin.writeOrganization(organization('acme', { id: 'other' }), 'absent');
    await expect(again).rejects.toThrow(WriteConflict);
    expect((await admin.readOrganization('acme'))?.id).toBe('id-of-acme');
  });

  it('refuses a write over a newer one, and names what it was', async () => {
    const created = await admin.writeOrganization(organization('acme'), 'absent');
    await admin.writeOrganization(created, created.write);
    const late = admin.writeOrganization({ ...created, document: { late: true } }, created.write);
    await expect(late).rejects.toMatchObject({ name: 'WriteConflict', what: 'organization acme' });
    expect((await admin.readOrganization('acme'))?.document).toEqual(created.document);
  });

  it('refuses a write over an organization that was deleted and made again', async () => {
    const first = await admin.writeOrganization(organization('acme'), 'absent');
    await admin.deleteOrganization(first);
    await admin.writeOrganization(organization('acme', { id: 'second' }), 'absent');
    await expect(admin.writeOrganization(first, first.write)).rejects.toThrow(WriteConflict);
    await expect(admin.deleteOrganization(first)).rejects.toThrow(WriteConflict);
  });

  it('refuses to write or delete what is not there', async () => {
    await expect(admin.writeOrganization(organization('acme'), 1)).rejects.toThrow(WriteConflict);
    await expect(admin.deleteOrganization(organization('acme', { write: 1 }))).rejects.toThrow(WriteConflict);
    await expect(admin.writeNeuron('acme', neuron('hello'), 1)).rejects.toThrow(WriteConflict);
    await expect(admin.deleteNeuron('acme', neuron('hello', { write: 1 }))).rejects.toThrow(WriteConflict);
  });

  it('lists organizations by slug', async () => {
    for (const slug of ['beta', 'acme', 'a1']) await admin.writeOrganization(organization(slug), 'absent');
    expect((await admin.listOrganizations()).map(({ slug }) => slug)).toEqual(['a1', 'acme', 'beta']);
  });

  it('writes, lists, changes and deletes neurons of one organization', async () => {
    const acme = await admin.writeOrganization(organization('acme'), 'absent');
    await admin.writeNeuron('acme', neuron('b'), 'absent');
    const a = await admin.writeNeuron('acme', neuron('a'), 'absent');
    expect((await admin.listNeurons(acme)).map(({ slug }) => slug)).toEqual(['a', 'b']);
    const deployment = { version: 'v1', number: 1 };
    const next = await admin.writeNeuron('acme', { ...a, deployment, deployments: 1, latestVersion: 1 }, 1);
    expect(await admin.readNeuron(acme, 'a')).toEqual(next);
    expect((await settings.read('acme', 'a')).neuron).toMatchObject({ id: 'id-of-a', deployment, write: 2 });
    await expect(admin.deleteNeuron('acme', a)).rejects.toMatchObject({ what: 'neuron acme/a' });
    await admin.deleteNeuron('acme', next);
    expect(await admin.readNeuron(acme, 'a')).toBeUndefined();
    await admin.deleteNeuron('acme', { ...neuron('b'), write: 1 });
  });

  it('does not show neurons of a deleted organization to its successor, and lets them be replaced', async () => {
    const first = await admin.writeOrganization(organization('acme'), 'absent');
    await admin.writeNeuron('acme', neuron('left'), 'absent');
    await admin.deleteOrganization(first);
    const second = await admin.writeOrganization(organization('acme', { id: 'second' }), 'absent');
    expect(await admin.listNeurons(second)).toEqual([]);
    expect(await admin.readNeuron(second, 'left')).toBeUndefined();
    const own = neuron('left', { id: 'new', organizationId: 'second' });
    const written = await admin.writeNeuron('acme', own, 'absent');
    expect(await admin.readNeuron(second, 'left')).toEqual(written);
    await expect(admin.writeNeuron('acme', own, 'absent')).rejects.toThrow(WriteConflict);
    await admin.deleteNeuron('acme', written);
  });

  it('keeps versions as they were written, newest first', async () => {
    for (const number of [9, 10, 1]) await admin.createVersion('acme', version(number, { message: 'm' }));
    await admin.createVersion('acme', version(1, { neuronId: 'id-of-hello-2' }));
    const listed = await admin.listVersions('acme', 'id-of-hello');
    expect(listed.map(({ id }) => id)).toEqual(['v10', 'v9', 'v1']);
    expect(listed[0]).not.toHaveProperty('flow');
    expect(await admin.readVersion('acme', 'id-of-hello', 'v9')).toEqual(version(9, { message: 'm' }));
    expect((await versions.read('acme', 'id-of-hello', 'v9'))?.flow).toEqual([{ stop: {} }]);
    for (const { id } of listed) await admin.deleteVersion('acme', 'id-of-hello', id);
    await admin.deleteVersion('acme', 'id-of-hello', 'v9');
    expect(await admin.listVersions('acme', 'id-of-hello')).toEqual([]);
    expect(await admin.readVersion('acme', 'id-of-hello-2', 'v1')).toBeDefined();
    await admin.deleteVersion('acme', 'id-of-hello-2', 'v1');
  });

  it('refuses to write a version twice', async () => {
    await admin.createVersion('acme', version(1));
    await expect(admin.createVersion('acme', version(1, { flowDigest: 'd2' }))).rejects.toThrow(
      WriteConflict,
    );
    expect((await admin.readVersion('acme', 'id-of-hello', 'v1'))?.flowDigest).toBe('d1');
    await admin.deleteVersion('acme', 'id-of-hello', 'v1');
  });

  it('sets and ends maintenance', async () => {
    expect(await admin.readMaintenance()).toBeUndefined();
    const maintenance = { retryAfterSeconds: 60, since: stamp.createdAt, by: 'ada' };
    await admin.setMaintenance(maintenance);
    expect(await admin.readMaintenance()).toEqual(maintenance);
    expect((await settings.read('acme', 'hello')).maintenance?.retryAfterSeconds).toBe(60);
    await admin.setMaintenance(undefined);
    await admin.setMaintenance(undefined);
    expect(await admin.readMaintenance()).toBeUndefined();
  });

  it('admits one of several writers who start from the same state', async () => {
    const created = await admin.writeOrganization(organization('acme'), 'absent');
    const writers = Array.from({ length: 8 }, (_, index) =>
      admin.writeOrganization({ ...created, document: { by: index } }, created.write),
    );
    const outcomes = await Promise.allSettled(writers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await admin.readOrganization('acme'))?.write).toBe(2);
  });
});
