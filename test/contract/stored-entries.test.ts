// What exports rely on, of the log in DynamoDB and in memory alike: every item once, oldest first, from any place on.
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { findRecords } from '../../adapters/dynamodb/stored/get-records.ts';
import { createStoredEntries } from '../../adapters/dynamodb/stored/stored-entries.ts';
import { toExportedEntry } from '../../cli/logs/export/exported-entry.ts';
import type { ChangeEntry } from '../../core/contract/change-entry.ts';
import type { ChangeLog } from '../../core/ports/change-log.ts';
import type { StoredEntries, StoredEntry, StoredQuery } from '../../core/ports/stored-entries.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryChangeLog } from '../support/memory/change-log.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLog } from '../support/memory/log-store.ts';
import { createMemoryStoredEntries } from '../support/memory/stored-entries.ts';

const HOUR_MS = 3_600_000;
const SHARDS = 3;
const QUERY: StoredQuery = {
  organizationId: 'org-1',
  organization: 'acme',
  fromMs: NOON_MS - 5 * HOUR_MS,
  toMs: NOON_MS + 1,
  nowMs: NOON_MS,
};

interface World {
  readonly store: LogStore;
  readonly changes: ChangeLog;
  readonly stored: StoredEntries;
}

function changeAt(timeMs: number, id: string, changes: Partial<ChangeEntry> = {}): ChangeEntry {
  return {
    ...{ id, timeMs, by: 'local', actions: ['deploy'], organization: 'acme', organizationId: 'org-1' },
    ...{ neuron: 'hello', neuronId: 'neu-1', before: { version: 'v1' }, after: { version: 'v2' } },
    expiresAt: NOON_MS / 1000 + 60,
    ...changes,
  };
}

/** 250 calls of three neurons over three hours with an empty one between, changes among them, and what must stay out. */
async function fill({ store, changes }: World): Promise<void> {
  for (let index = 0; index < 250; index += 1) {
    const hours = index % 4 === 2 ? 1 : index % 4;
    const subject = { ...FACTS.subject, neuronId: `neu-${index % 3}` };
    const timeMs = NOON_MS - hours * HOUR_MS - index * 1_000;
    const input = index % 50 === 0 ? 'long '.repeat(1_000) : 'short';
    await store.put(entryOf({ executionId: `exec-${index}=`, timeMs, subject, input }));
  }
  const foreign = { ...FACTS.subject, organizationId: 'org-2', neuronId: 'neu-9' };
  await store.put(entryOf({ executionId: 'foreign=', timeMs: NOON_MS, subject: foreign }));
  const expired = { ...FACTS.subject, retentionMs: 1_000 };
  await store.put(entryOf({ executionId: 'expired=', timeMs: NOON_MS - HOUR_MS, subject: expired }));
  await store.put(entryOf({ executionId: 'early=', timeMs: QUERY.fromMs - 1 }));
  await store.put(entryOf({ executionId: 'late=', timeMs: QUERY.toMs }));
  const made = changeAt(NOON_MS - HOUR_MS - 500, 'chg-a-0000000000000001');
  await changes.begin(made);
  await changes.end(made, 'made');
  await changes.begin(changeAt(NOON_MS - 2 * HOUR_MS, 'chg-b-0000000000000002'));
  const whole = { organization: undefined, organizationId: undefined, actions: ['maintenance_on'] as const };
  const maintenance = changeAt(NOON_MS - 10, 'chg-c-0000000000000003', whole);
  await changes.begin(maintenance);
  await changes.end(maintenance, 'unchanged');
  const earlier = changeAt(NOON_MS - HOUR_MS - 400, 'chg-d-0000000000000004', { organizationId: 'org-0' });
  await changes.begin(earlier);
  await changes.end(earlier, 'made');
}

let dynamoDb: TestDynamoDb;
const worlds = {} as Record<'DynamoDB' | 'memory', World>;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  const clock = createMemoryClock(NOON_MS);
  const { client, tables } = dynamoDb;
  worlds.DynamoDB = {
    store: createLogStore(client, tables.logs, SHARDS),
    changes: createChangeLog(client, tables.logs, clock),
    stored: createStoredEntries(client, tables.logs, { clock, shards: SHARDS }),
  };
  // Nothing ends for the writers: what had ended at the time of an export is left out by the reader.
  const log = createMemoryLog(createMemoryClock(0));
  const changes = createMemoryChangeLog();
  worlds.memory = { store: log, changes, stored: createMemoryStoredEntries(log, changes) };
  for (const world of Object.values(worlds)) await fill(world);
});
afterAll(() => dynamoDb.stop());

async function read(stored: StoredEntries, query: Partial<StoredQuery> = {}): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const entry of stored.list({ ...QUERY, ...query })) found.push(entry);
  return found;
}

describe.each(['DynamoDB', 'memory'] as const)('stored entries of %s', (name) => {
  it('are every call, change and outcome of the period, once, oldest first', async () => {
    const found = await read(worlds[name].stored);
    const keys = found.map(({ sk }) => sk);
    expect(keys).toEqual(keys.toSorted());
    expect(new Set(keys).size).toBe(keys.length);
    const counts = Map.groupBy(found, ({ type }) => type);
    expect(counts.get('call')).toHaveLength(250);
    expect(counts.get('change')?.map(({ record }) => record['id'])).toEqual([
      'chg-b-0000000000000002',
      'chg-a-0000000000000001',
      'chg-c-0000000000000003',
    ]);
    expect(counts.get('outcome')?.map(({ record }) => record['outcome'])).toEqual(['made', 'unchanged']);
    expect(keys.some((key) => /expired|foreign|early|late/.test(key))).toBe(false);
  });

  it('hold every attribute of what was put, packed or not', async () => {
    const found = await read(worlds[name].stored);
    const packed = found.find(({ record }) => record['executionId'] === 'exec-50=');
    expect(packed?.record).toMatchObject({ pk: expect.stringContaining('neu-2#'), tokensInput: 3 });
    expect(toExportedEntry(packed!)).toMatchObject({ input: { kind: 'full', bytes: 5_000 } });
    const change = found.find(({ type }) => type === 'change');
    expect(change?.record).toMatchObject({ before: '{"version":"v1"}', by: 'local', actions: ['deploy'] });
  });

  it('go on after any of them as if they had not been interrupted', async () => {
    const whole = await read(worlds[name].stored);
    for (const at of [
      0,
      1,
      99,
      100,
      101,
      150,
      ...whole.flatMap(({ type }, index) => (type === 'call' ? [] : [index])),
    ]) {
      const after = whole[at];
      expect(await read(worlds[name].stored, { after })).toEqual(whole.slice(at + 1));
    }
  });

  it('are none of an empty period', async () => {
    expect(await read(worlds[name].stored, { toMs: QUERY.fromMs })).toEqual([]);
  });
});

describe('entries at positions', () => {
  const clock = { sleep: async () => undefined };

  it('come in the order of the positions, more than a batch of them, repeated and gone ones too', async () => {
    const { client, tables } = dynamoDb;
    const whole = (await read(worlds.DynamoDB.stored)).toReversed();
    const gone = { pk: 'neu-1#2026-11-21T12#0', sk: '2026-11-21T12:00:00.000Z#gone=' };
    const positions = [...whole, gone, ...whole.slice(0, 3), gone];
    const found = await findRecords(client, tables.logs, positions, clock);
    const records = whole.map(({ record }) => record);
    expect(records.length).toBeGreaterThan(200);
    expect(found).toEqual([...records, undefined, ...records.slice(0, 3), undefined]);
  });

  it('are none of none', async () => {
    expect(await findRecords(dynamoDb.client, dynamoDb.tables.logs, [], clock)).toEqual([]);
  });
});

describe('a throttled table', () => {
  it('is asked again for what it left out, and nothing is lost', async () => {
    let left = 0;
    const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
    client.send = (async (command: BatchGetItemCommand) => {
      const [table, keys] = Object.entries(command.input.RequestItems ?? {})[0] ?? [];
      if (!(command instanceof BatchGetItemCommand) || table === undefined || left === 5)
        return dynamoDb.client.send(command);
      left += 1;
      const [first, ...others] = keys?.Keys ?? [];
      const answer = await dynamoDb.client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { ...keys, Keys: [first!] } } }),
      );
      return { ...answer, UnprocessedKeys: { [table]: { Keys: others } } };
    }) as never;
    const clock = { sleep: async () => undefined };
    const stored = createStoredEntries(client, dynamoDb.tables.logs, { clock, shards: SHARDS });
    expect(await read(stored)).toEqual(await read(worlds.DynamoDB.stored));
    expect(left).toBe(5);
  });

  it('fails the export in the end rather than leaving entries out', async () => {
    const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
    client.send = (async (command: BatchGetItemCommand) =>
      command instanceof BatchGetItemCommand
        ? { UnprocessedKeys: command.input.RequestItems }
        : dynamoDb.client.send(command)) as never;
    const clock = { sleep: async () => undefined };
    const stored = createStoredEntries(client, dynamoDb.tables.logs, { clock, shards: SHARDS });
    await expect(read(stored)).rejects.toThrow('left out items');
  });
});
