// `neuron restore` of settings and keys, in the embedded DynamoDB: what comes back, and what must stay out.
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NeuronRecord, OrganizationRecord } from '../../../core/ports/administration.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';
import type { RawItem } from '../../support/sealed-log.ts';
import { openRestoredTables, type RestoredTables } from './restored-tables.ts';

const AT = '2026-11-01T00:00:00.000Z';
const STAMP = { createdAt: AT, updatedAt: AT, updatedBy: 'local' };
const CLOSED = { retryAfterSeconds: 60, since: AT, by: 'local' };

const organization = (slug: string, id = `id-of-${slug}`): OrganizationRecord => {
  return { id, slug, document: { organization: slug }, pause: undefined, write: 0, ...STAMP };
};
const neuron = (slug: string, id = `id-of-${slug}`): NeuronRecord => ({
  id,
  organizationId: 'id-of-acme',
  slug,
  document: { neuron: `acme/${slug}`, access: { apiKey: true } },
  latestVersion: 1,
  deployment: { version: 'v1', number: 1 },
  deployments: 1,
  previewKeys: {},
  cacheGeneration: 0,
  write: 0,
  ...STAMP,
});
const version = (neuronId: string) => {
  const summary = { id: 'v1', number: 1, neuronId, createdAt: AT, author: 'local', message: undefined };
  return { ...summary, flow: [{ stop: {} }], flowDigest: 'd' };
};
const key = (keyId: string, organizationId = 'id-of-acme'): StoredKey => {
  const shown = { name: keyId, prefix: `nrn_${keyId}`, lastFour: 'abcd' };
  return { keyId, organizationId, ...shown, createdAt: AT, createdBy: 'local' };
};
const digest = (letter: string) => letter.repeat(64);

let world: RestoredTables;
beforeEach(async () => {
  world = await openRestoredTables();
});
afterEach(() => world.stop());

const close = () => world.ports.store.setMaintenance(CLOSED);

describe('neuron restore of settings', () => {
  beforeEach(async () => {
    const { store } = world.ports;
    await store.writeOrganization(organization('acme'), 'absent');
    for (const slug of ['hello', 'gone']) {
      await store.writeNeuron('acme', neuron(slug), 'absent');
      await store.createVersion('acme', version(`id-of-${slug}`));
    }
  });

  it('refuses while calls are served, and changes nothing', async () => {
    const from = await world.backUp('config');
    await world.lose('config', () => true);
    const { exitCode, stderr } = await world.restore('--from', from, '--as', 'config');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Calls are served');
    expect(stderr).toContain('neuron maintenance on');
    expect(await world.scan(world.dynamoDb.tables.config)).toEqual([]);
  });

  it('puts back exactly what is missing, says so before, and does nothing when run again', async () => {
    const { config, logs } = world.dynamoDb.tables;
    const before = await world.scan(config);
    const from = await world.backUp('config');
    await world.lose('config', ({ sk }) => sk?.S?.includes('hello') ?? false);
    await close();
    const changes = (await world.scan(logs)).length;
    const check = await world.restoreJson('--from', from, '--as', 'config', '--check');
    expect(check).toMatchObject({
      table: 'config',
      check: true,
      read: 5,
      restored: 2,
      present: 3,
      skipped: {},
    });
    expect(await world.scan(config)).toHaveLength(4);
    expect(await world.scan(logs)).toHaveLength(changes);
    const { exitCode, stdout } = await world.restore('--from', from, '--as', 'config');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Put back 2 items of ${from} into config; 3 were there already.\n`);
    const sorted = (items: readonly RawItem[]) =>
      items
        .filter(({ pk }) => pk?.S !== 'SERVICE')
        .toSorted((one, other) => (String(one['sk']?.S) < String(other['sk']?.S) ? -1 : 1));
    expect(sorted(await world.scan(config))).toEqual(sorted(before));
    expect(await world.restoreJson('--from', from, '--as', 'config')).toMatchObject({
      restored: 0,
      present: 5,
    });
    const recorded = [];
    for await (const change of world.ports.changes.list('acme', 0, Date.now() + 60_000))
      if (change.actions.includes('restore_table')) recorded.push([change.after, change.outcome]);
    expect(recorded).toEqual([
      [{ from, into: config }, 'unchanged'],
      [{ from, into: config }, 'made'],
    ]);
  });

  it('leaves out what a command deleted, unless it is wanted', async () => {
    const { store } = world.ports;
    const from = await world.backUp('config');
    await store.deleteNeuron('acme', { ...neuron('gone'), write: 1 });
    await world.lose('config', () => true);
    await close();
    expect(await world.restoreJson('--from', from, '--as', 'config')).toMatchObject({
      restored: 3,
      skipped: { deleted: 2 },
    });
    expect(await store.readNeuron(organization('acme'), 'gone')).toBeUndefined();
    expect(await store.readNeuron(organization('acme'), 'hello')).toBeDefined();
    const wanted = await world.restoreJson('--from', from, '--as', 'config', '--include-deleted');
    expect(wanted).toMatchObject({ restored: 2, skipped: {} });
    expect(await store.readNeuron(organization('acme'), 'gone')).toBeDefined();
  });

  it('gives an organization that was made anew nothing of the former one', async () => {
    const { store } = world.ports;
    const from = await world.backUp('config');
    await world.lose('config', () => true);
    await store.writeOrganization(organization('acme', 'another-id'), 'absent');
    await close();
    expect(await world.restoreJson('--from', from, '--as', 'config', '--include-deleted')).toMatchObject({
      restored: 0,
      skipped: { other_organization: 5 },
    });
    expect(await store.readNeuron(organization('acme'), 'hello')).toBeUndefined();
  });

  it('never starts maintenance that was on then, and keeps newer settings', async () => {
    const { store } = world.ports;
    await close();
    const from = await world.backUp('config');
    const newer = { ...neuron('hello'), deployments: 7 };
    await store.writeNeuron(
      'acme',
      { ...newer, write: 0 },
      (await store.readNeuron(organization('acme'), 'hello'))?.write ?? 0,
    );
    expect(await world.restoreJson('--from', from, '--as', 'config')).toMatchObject({
      restored: 0,
      skipped: { state: 1 },
    });
    expect((await store.readNeuron(organization('acme'), 'hello'))?.deployments).toBe(7);
  });
});

describe('neuron restore of keys', () => {
  it('puts back keys that were lost, and no key that was revoked or is of another stage', async () => {
    const { store, keys, keyReader } = world.ports;
    await store.writeOrganization(organization('acme'), 'absent');
    await keys.create(digest('a'), key('lost'));
    await keys.create(digest('b'), key('revoked-and-lost'));
    await keys.create(digest('c'), key('revoked'));
    await keys.create(digest('d'), key('foreign', 'id-of-another-stage'));
    const from = await world.backUp('keys');
    await expect.poll(() => keys.revoke('id-of-acme', 'revoked', AT)).toBe('revoked');
    await expect.poll(() => keys.revoke('id-of-acme', 'revoked-and-lost', AT)).toBe('revoked');
    await world.lose('keys', ({ keyId }) => keyId?.S !== 'revoked');
    await close();
    expect(await world.restoreJson('--from', from, '--as', 'keys')).toMatchObject({
      restored: 1,
      present: 0,
      skipped: { revoked: 2, other_organization: 1 },
    });
    expect((await keyReader.read(digest('a')))?.keyId).toBe('lost');
    expect(await keyReader.read(digest('b'))).toBeUndefined();
    expect((await keyReader.read(digest('c')))?.revokedAt).toBe(AT);
    expect(await keyReader.read(digest('d'))).toBeUndefined();
  });
});

describe('neuron restore', () => {
  it.each(['counters', 'cache'] as const)('refuses to copy %s, and puts its expiry back', async (table) => {
    const from = await world.backUp(table);
    const copied = await world.restore('--from', from, '--as', table);
    expect(copied.exitCode).toBe(1);
    expect(copied.stderr).toContain('holds only current state');
    const own = world.dynamoDb.tables[table];
    expect(await world.restoreJson('--from', own)).toMatchObject({ table, turnedOn: ['timeToLive'] });
    expect((await world.restore('--from', own)).stdout).toBe(`The table ${table} lacks nothing.\n`);
  });

  it('puts back stream, expiry and protection of a table that was restored under its own name', async () => {
    const { client, tables } = world.dynamoDb;
    const change = (StreamEnabled: boolean, TableName: string) =>
      client.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled } }));
    await change(false, tables.logs);
    await client.send(new UpdateTableCommand({ TableName: tables.config, DeletionProtectionEnabled: true }));
    const lacking = ['timeToLive', 'stream', 'deletionProtection'];
    expect(await world.restoreJson('--from', tables.logs, '--check')).toMatchObject({ turnedOn: lacking });
    const { exitCode, stdout, stderr } = await world.restore('--from', tables.logs);
    expect(exitCode).toBe(0);
    expect(stdout).toBe('Turned on: expiry (TTL), stream, deletion protection.\n');
    expect(stderr).toMatch(/create-event-source-mapping --event-source-arn \S+stream/);
    expect(await world.restoreJson('--from', tables.logs)).toMatchObject({ turnedOn: [] });
  });

  it.each([
    ['an ARN', ['--from', 'arn:aws:dynamodb:eu-central-1:444455556666:table/keys'], 2],
    ['no table', ['--as', 'keys'], 2],
    ['a table that is not there', ['--from', 'nothing-here', '--as', 'keys'], 1],
    ['another kind of table', ['--from', 'restored-keys-1', '--as', 'config'], 1],
    ['a table of unknown origin', ['--from', 'restored-keys-1'], 2],
  ])('refuses %s', async (_name, words, exitCode) => {
    await world.backUp('keys');
    await close();
    expect((await world.restore(...words)).exitCode).toBe(exitCode);
  });

  it('refuses to take a table of the stack for another one', async () => {
    const refused = await world.restore('--from', world.dynamoDb.tables.keys, '--as', 'config');
    expect(refused.exitCode).toBe(2);
  });

  it('changes nothing where its entry cannot be written', async () => {
    const { store } = world.ports;
    await store.writeOrganization(organization('acme'), 'absent');
    const from = await world.backUp('config');
    await world.lose('config', () => true);
    await close();
    const failing: RestoredTables['ports']['changes']['begin'] = () => Promise.reject(new Error('denied'));
    Object.assign(world.ports.changes, { begin: failing });
    const { exitCode, stderr } = await world.restore('--from', from, '--as', 'config');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Nothing was changed');
    expect((await world.scan(world.dynamoDb.tables.config)).map(({ pk }) => pk?.S)).toEqual(['SERVICE']);
  });
});
