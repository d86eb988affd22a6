// What every store of settings and versions gives to the functions, in memory and in DynamoDB alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createSettingsStore, createVersionStore } from '../../adapters/dynamodb/config-store.ts';
import { createModelNameStore } from '../../adapters/dynamodb/names/model-name-store.ts';
import type { NeuronRecord, OrganizationRecord, VersionRecord } from '../../core/ports/administration.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryConfig, type MemoryConfig } from '../support/memory/admin-store.ts';

const STAMP = {
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  updatedBy: 'ada',
};

const organization: OrganizationRecord = {
  id: 'org-1',
  slug: 'acme',
  document: {
    organization: 'acme',
    providers: { demo: { type: 'echo' } },
    prices: { 'demo/m': { input: 0.4, output: 1e-6 } },
  },
  pause: undefined,
  write: 0,
  ...STAMP,
};

const neuron: NeuronRecord = {
  id: 'neu-1',
  organizationId: 'org-1',
  slug: 'hello',
  document: {
    neuron: 'acme/hello',
    name: 'Grüße 😀',
    access: { referers: [], public: false },
    rateLimits: [],
    maxInputBytes: 1_000_000,
  },
  latestVersion: 3,
  deployment: { version: 'v2', number: 5 },
  deployments: 5,
  previewKeys: {},
  cacheGeneration: 4,
  write: 0,
  ...STAMP,
};

const version: VersionRecord = {
  id: 'v2',
  number: 2,
  neuronId: 'neu-1',
  createdAt: STAMP.createdAt,
  author: 'ada',
  message: 'shorter answers',
  flow: [
    { callModel: { provider: 'demo', model: 'm', temperature: 0.2, stopSequences: ['', '\n'] } },
    { stop: {} },
  ],
  flowDigest: 'digest',
};

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

async function createDynamoDbConfig(): Promise<MemoryConfig> {
  await dynamoDb.stop();
  dynamoDb = await startDynamoDb();
  const { client, tables } = dynamoDb;
  return {
    admin: createAdminStore(client, tables.config),
    settings: createSettingsStore(client, tables.config),
    versions: createVersionStore(client, tables.config),
    modelNames: createModelNameStore(client, tables.config),
  };
}

describe.each([
  ['memory', async () => createMemoryConfig()],
  ['DynamoDB', createDynamoDbConfig],
])('a settings store in %s', (_name, create) => {
  let { admin, settings, versions }: MemoryConfig = createMemoryConfig();
  beforeEach(async () => {
    ({ admin, settings, versions } = await create());
  });

  it('has nothing of an organization and a neuron that are not there', async () => {
    expect(await settings.read('acme', 'hello')).toEqual({
      organization: undefined,
      neuron: undefined,
      maintenance: undefined,
    });
  });

  it('gives organization, neuron and maintenance in one read, documents as they were written', async () => {
    await admin.writeOrganization(
      { ...organization, pause: { retryAfterSeconds: 60, since: 'then', by: 'ada' } },
      'absent',
    );
    await admin.writeNeuron('acme', neuron, 'absent');
    await admin.setMaintenance({ retryAfterSeconds: 30, since: 'then', by: 'ada' });
    const stored = await settings.read('acme', 'hello');
    expect(stored.organization).toMatchObject({
      id: 'org-1',
      slug: 'acme',
      document: organization.document,
      pause: { retryAfterSeconds: 60 },
      write: 1,
    });
    expect(stored.neuron).toMatchObject({
      id: 'neu-1',
      organizationId: 'org-1',
      slug: 'hello',
      document: neuron.document,
      deployment: { version: 'v2', number: 5 },
      cacheGeneration: 4,
      write: 1,
    });
    expect(stored.maintenance).toMatchObject({ retryAfterSeconds: 30 });
  });

  it('gives a neuron without a deployment, and an organization without a pause', async () => {
    await admin.writeOrganization(organization, 'absent');
    await admin.writeNeuron('acme', { ...neuron, deployment: undefined }, 'absent');
    const stored = await settings.read('acme', 'hello');
    expect(stored.neuron?.deployment).toBeUndefined();
    expect(stored.organization?.pause).toBeUndefined();
  });

  it('keeps the neurons of an organization and the organizations apart', async () => {
    await admin.writeOrganization(organization, 'absent');
    await admin.writeNeuron('acme', neuron, 'absent');
    expect((await settings.read('acme', 'hello2')).neuron).toBeUndefined();
    expect((await settings.read('acme', 'hell')).neuron).toBeUndefined();
    expect(await settings.read('acme2', 'hello')).toEqual({
      organization: undefined,
      neuron: undefined,
      maintenance: undefined,
    });
  });

  it.each([
    ['', ''],
    ['acme', ''],
    ['', 'hello'],
    ['acme', 'hello#'],
    ['acme#', 'hello'],
    ['META', 'META'],
    ['acme', '__proto__'],
    ['acme', '../acme/hello'],
    ['ACME', 'HELLO'],
  ])('finds no neuron under %j / %j', async (organizationSlug, neuronSlug) => {
    await admin.writeOrganization(organization, 'absent');
    await admin.writeNeuron('acme', neuron, 'absent');
    await admin.createVersion('acme', version);
    expect((await settings.read(organizationSlug, neuronSlug)).neuron).toBeUndefined();
  });

  it('sees a change at once', async () => {
    const written = await admin.writeOrganization(organization, 'absent');
    await settings.read('acme', 'hello');
    await admin.writeOrganization({ ...written, document: { changed: true } }, written.write);
    expect((await settings.read('acme', 'hello')).organization).toMatchObject({
      document: { changed: true },
      write: 2,
    });
  });

  it('gives a version as it was written, by organization, neuron and id alone', async () => {
    await admin.createVersion('acme', version);
    expect(await versions.read('acme', 'neu-1', 'v2')).toMatchObject({
      id: 'v2',
      neuronId: 'neu-1',
      createdAt: STAMP.createdAt,
      author: 'ada',
      message: 'shorter answers',
      flow: version.flow,
    });
    expect(await versions.read('acme', 'neu-1', 'v1')).toBeUndefined();
    expect(await versions.read('acme', 'neu-2', 'v2')).toBeUndefined();
    expect(await versions.read('acme2', 'neu-1', 'v2')).toBeUndefined();
  });
});
