// What a recount reads of the log is what the rollups count, whoever made the request: held against memory and DynamoDB alike.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { createEntryReader } from '../../adapters/dynamodb/usage-entries.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import type { CountedEntry, EntryReader } from '../../core/ports/usage.ts';
import { usageOf } from '../../core/usage/entry-usage.ts';
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
    ).toEqual([...['neuron', 'model', 'user'], ...['neuron', 'model', 'key'], ...['neuron', 'model']]);
  });
});
