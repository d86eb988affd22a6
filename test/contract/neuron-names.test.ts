// Names of neurons: written with them, all or nothing, and unique in an organization whoever writes at the same time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminStore } from '../../adapters/dynamodb/admin-store.ts';
import { createModelNameStore } from '../../adapters/dynamodb/names/model-name-store.ts';
import {
  type AdminStore,
  NameConflict,
  type NeuronRecord,
  type OrganizationRecord,
  WriteConflict,
} from '../../core/ports/administration.ts';
import { listedNamesFor } from '../../core/settings/names/model-names.ts';
import type { ModelNameStore, NeuronListStore } from '../../core/settings/stored-settings.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryConfig } from '../support/memory/admin-store.ts';
import { undeployed } from './records.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

interface Stores {
  readonly admin: AdminStore;
  readonly names: ModelNameStore & NeuronListStore;
}

function inMemory(): Stores {
  const { admin, modelNames } = createMemoryConfig();
  return { admin, names: modelNames };
}

function inDynamoDb(): Stores {
  const { client, tables } = dynamoDb;
  return {
    admin: createAdminStore(client, tables.config),
    names: createModelNameStore(client, tables.config),
  };
}

let tests = 0;

describe.each([
  ['memory', inMemory],
  ['DynamoDB', inDynamoDb],
])('names in %s', (where, create) => {
  /** An organization of its own for each test. */
  function open() {
    tests += 1;
    const organization = `o${tests}-${where.toLowerCase()}`;
    const { admin, names } = create();
    const neuron = (slug: string, models?: readonly string[], change: Partial<NeuronRecord> = {}) => ({
      id: `${organization}-${slug}`,
      organizationId: `id-of-${organization}`,
      slug,
      document: { neuron: `${organization}/${slug}`, ...(models === undefined ? {} : { models }) },
      ...undeployed,
      ...change,
    });
    const find = async (name: string) =>
      (await names.find(organization, listedNamesFor(name))).map((one) => `${one.name} → ${one.neuron}`);
    return { organization, admin, names, neuron, find };
  }

  it('are found by themselves first, then by wildcards, longest first', async () => {
    const { organization, admin, neuron, find } = open();
    await admin.writeNeuron(organization, neuron('all', ['*']), 'absent');
    await admin.writeNeuron(organization, neuron('any-claude', ['claude-*', 'Claude 3']), 'absent');
    await admin.writeNeuron(organization, neuron('opus', ['claude-opus-*', 'claude-opus-4']), 'absent');
    expect(await find('claude-opus-4')).toEqual([
      'claude-opus-4 → opus',
      'claude-opus-* → opus',
      'claude-* → any-claude',
      '* → all',
    ]);
    expect(await find('claude-')).toEqual(['claude-* → any-claude', '* → all']);
    // Letters are compared as they are.
    expect(await find('Claude-opus-4')).toEqual(['* → all']);
    expect(await find('Claude 3')).toEqual(['Claude 3 → any-claude', '* → all']);
  });

  it('are released by a write without them and by the deletion of their neuron', async () => {
    const { organization, admin, neuron, find } = open();
    const first = await admin.writeNeuron(organization, neuron('a', ['gpt-4.1', 'gpt-5']), 'absent');
    const second = await admin.writeNeuron(
      organization,
      { ...first, document: neuron('a', ['gpt-5']).document },
      1,
    );
    expect(await find('gpt-4.1')).toEqual([]);
    expect(await find('gpt-5')).toEqual(['gpt-5 → a']);
    await admin.deleteNeuron(organization, second);
    expect(await find('gpt-5')).toEqual([]);
    await admin.writeNeuron(organization, neuron('b', ['gpt-4.1', 'gpt-5']), 'absent');
    expect(await find('gpt-5')).toEqual(['gpt-5 → b']);
  });

  it('stay while a neuron is written with the same ones', async () => {
    const { organization, admin, neuron, find } = open();
    const first = await admin.writeNeuron(organization, neuron('a', ['gpt-5']), 'absent');
    await admin.writeNeuron(organization, { ...first, deployment: { version: 'v1', number: 1 } }, 1);
    expect(await find('gpt-5')).toEqual(['gpt-5 → a']);
  });

  it('refuses a name of another neuron, says whose it is, and writes nothing', async () => {
    const { organization, admin, neuron, find } = open();
    const owner = { id: `id-of-${organization}`, slug: organization } as OrganizationRecord;
    const first = await admin.writeNeuron(organization, neuron('a', ['gpt-5']), 'absent');
    const taking = admin.writeNeuron(organization, neuron('b', ['gpt-4', 'gpt-5']), 'absent');
    await expect(taking).rejects.toThrow(NameConflict);
    await expect(taking).rejects.toMatchObject({
      owner: `${organization}/a`,
      message: `the name gpt-5 is one of ${organization}/a: names are unique in an organization`,
    });
    expect(await admin.readNeuron(owner, 'b')).toBeUndefined();
    expect(await find('gpt-4')).toEqual([]);
    expect((await admin.readNeuron(owner, 'a'))?.write).toBe(first.write);
  });

  it('refuses the slug of another neuron as a name, and a slug that is a name of another', async () => {
    const { organization, admin, neuron } = open();
    await admin.writeNeuron(organization, neuron('support', ['gpt-5']), 'absent');
    const byName = admin.writeNeuron(organization, neuron('b', ['support']), 'absent');
    await expect(byName).rejects.toMatchObject({ name: 'NameConflict', owner: `${organization}/support` });
    const bySlug = admin.writeNeuron(organization, neuron('gpt-5'), 'absent');
    await expect(bySlug).rejects.toMatchObject({ name: 'NameConflict', owner: `${organization}/support` });
  });

  it('may be the slug of the neuron itself', async () => {
    const { organization, admin, neuron, find } = open();
    const first = await admin.writeNeuron(organization, neuron('gpt-5', ['gpt-5', 'gpt-5-mini']), 'absent');
    await admin.writeNeuron(organization, first, 1);
    expect(await find('gpt-5')).toEqual(['gpt-5 → gpt-5']);
  });

  it('go to one of many neurons that are written at the same time', async () => {
    const { organization, admin, neuron, find } = open();
    const writes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        admin.writeNeuron(organization, neuron(`n${index}`, ['the-one']), 'absent'),
      ),
    );
    expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const write of writes) {
      if (write.status === 'rejected')
        expect(write.reason instanceof NameConflict || write.reason instanceof WriteConflict).toBe(true);
    }
    expect(await find('the-one')).toHaveLength(1);
  });

  it('of an earlier organization of the same slug belong to nobody', async () => {
    const { organization, admin, neuron, names } = open();
    await admin.writeNeuron(organization, neuron('a', ['gpt-5'], { organizationId: 'earlier' }), 'absent');
    await admin.writeNeuron(organization, neuron('b', ['gpt-5', 'a']), 'absent');
    expect(await names.find(organization, ['gpt-5', 'a'])).toMatchObject([
      { neuron: 'b', organizationId: `id-of-${organization}` },
      { neuron: 'b' },
    ]);
  });

  it('lists every neuron with the organization and what closes it', async () => {
    const { organization, admin, neuron, names } = open();
    await admin.writeNeuron(organization, neuron('b', ['gpt-5']), 'absent');
    await admin.writeNeuron(organization, neuron('a'), 'absent');
    const listed = await names.list(organization);
    expect(listed.neurons.map(({ slug }) => slug)).toEqual(['a', 'b']);
    expect(listed.organization).toBeUndefined();
    expect(listed.maintenance).toBeUndefined();
  });
});
