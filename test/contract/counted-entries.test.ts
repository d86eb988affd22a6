// What a recount reads of the log is what the rollups count, whoever made the request: held against memory and DynamoDB alike.
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { readLogStream } from '../../adapters/dynamodb/log-stream.ts';
import { createEntryReader } from '../../adapters/dynamodb/usage-entries.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import type { CountedEntry, EntryReader } from '../../core/ports/usage.ts';
import { usageOf } from '../../core/usage/entry-usage.ts';
import { markKeyOf } from '../../core/usage/mark.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLog } from '../support/memory/log-store.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const clock = createMemoryClock(NOON_MS);
const stores: [string, () => LogStore & EntryReader][] = [
  ['memory', () => createMemoryLog(clock)],
  [
    'DynamoDB',
    () => ({
      ...createLogStore(dynamoDb.client, dynamoDb.tables.logs, 3),
      ...createEntryReader(dynamoDb.client, dynamoDb.tables.logs, { clock, shards: 3 }),
    }),
  ],
];

const QUERY = { organizationId: 'org-1', fromDay: '2026-11-21', toDay: '2026-11-21' };

describe.each(stores)('entries for a recount in %s', (_name, create) => {
  it('say as much as whole entries do: of users, of API keys, of anonymous callers', async () => {
    const store = create();
    const { username: _, ...nobody } = FACTS.caller;
    const callers = [
      FACTS.caller,
      { ...nobody, username: undefined, authentication: 'apiKey' as const, keyId: 'k1' },
      { ...nobody, username: undefined, authentication: undefined },
    ];
    const put = callers.map((caller, index) => entryOf({ executionId: `exec-${index}`, caller }));
    for (const entry of put) await store.put(entry);
    const read: CountedEntry[] = [];
    for await (const entry of store.entries(QUERY)) read.push(entry);
    const usage = (entries: readonly CountedEntry[]) =>
      entries.toSorted((one, other) => one.executionId.localeCompare(other.executionId)).map(usageOf);
    expect(usage(read)).toEqual(usage(put));
    expect(
      usage(read)
        .flat()
        .map(({ subject }) => subject.kind),
    ).toEqual([['user'], ['key'], []].flatMap((who) => ['neuron', 'model', ...who, 'version']));
  });
});

it('entries in DynamoDB have the same mark for a recount as in the stream, whatever their shard', async () => {
  const { client, tables } = dynamoDb;
  const store = createLogStore(client, tables.logs, 3);
  const subject = { ...FACTS.subject, organizationId: 'org-2', neuronId: 'neu-2' };
  const put = Array.from({ length: 6 }, (_, n) => entryOf({ executionId: `own-${n}`, subject }));
  for (const entry of put) await store.put(entry);
  const reader = createEntryReader(client, tables.logs, { clock, shards: 3 });
  const read = [];
  for await (const entry of reader.entries({ ...QUERY, organizationId: 'org-2' }))
    read.push(markKeyOf(entry));
  const records = put.map((entry) => ({
    eventName: 'INSERT' as const,
    dynamodb: {
      ...{ SequenceNumber: '1', ApproximateCreationDateTime: NOON_MS / 1000 },
      NewImage: marshall(toLogItem(entry, 3), { removeUndefinedValues: true }) as never,
    },
  }));
  const streamed = readLogStream({ Records: records }).entries.map(({ entry }) => entry && markKeyOf(entry));
  expect(new Set(streamed.map((mark) => mark?.group)).size).toBeGreaterThan(1);
  expect(new Set(read)).toEqual(new Set(streamed));
});
