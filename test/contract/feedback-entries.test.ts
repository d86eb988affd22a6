// Entries of feedback in every log store, the one in memory and the one in DynamoDB alike.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { buildFeedbackEntry } from '../../core/feedback/entry.ts';
import type { ListedEntry, LogQuery, LogReader } from '../../core/ports/log-reader.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import { FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLog } from '../support/memory/log-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

/** Every test writes for an organization of its own, so that none sees another's entries. */
let organizationId = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  organizationId = `org-${tests}`;
});

/** An entry as JSON keeps it: a member that is undefined is not there. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

async function all(entries: AsyncIterable<ListedEntry>): Promise<ListedEntry[]> {
  const listed: ListedEntry[] = [];
  for await (const one of entries) listed.push(one);
  return listed;
}

async function ids(entries: AsyncIterable<ListedEntry>): Promise<string[]> {
  return (await all(entries)).map(({ executionId }) => executionId);
}

const clock = createMemoryClock(NOON_MS);
const stores: [string, () => LogStore & LogReader][] = [
  ['memory', () => createMemoryLog(clock)],
  [
    'DynamoDB',
    () => ({
      ...createLogStore(dynamoDb.client, dynamoDb.tables.logs, 3),
      ...createLogReader(dynamoDb.client, dynamoDb.tables.logs, { clock, shards: 3 }),
    }),
  ],
];

describe.each(stores)('a log store in %s', (_name, create) => {
  let store: LogStore & LogReader;
  beforeEach(() => {
    store = create();
  });

  const query = (changes: Partial<LogQuery> = {}): LogQuery => ({
    organizationId,
    fromMs: NOON_MS - HOUR_MS,
    toMs: NOON_MS + HOUR_MS,
    ...changes,
  });

  it('takes one of 100 values at once for a metric of an answer, and gives it back whole', async () => {
    const rated = {
      executionId: `${organizationId}-e`,
      timeMs: NOON_MS,
      neuronId: `${organizationId}-n`,
      version: 'v7',
    };
    const { organization, neuron } = FACTS.subject;
    const sender = { organization, organizationId, neuron, sourceIp: '203.0.113.7' };
    const from = { ...sender, refererHost: undefined, keyId: undefined, authentication: 'public' } as const;
    const build = (value: number) =>
      buildFeedbackEntry(
        { ...rated, username: 'ada' },
        { metric: 'stars', value, comment: 'Hm "x"' },
        from,
        DAY_MS,
      );
    const puts = await Promise.all(Array.from({ length: 100 }, (_, index) => store.put(build(index))));
    const kept = puts.indexOf(true);
    expect(puts.filter((isPut) => isPut)).toHaveLength(1);
    expect(await store.put(build(7))).toBe(false);
    expect(plain(await store.find(`${organizationId}-e#stars`))).toEqual(plain(build(kept)));
    expect(await ids(store.list(query({ username: 'ada' })))).toEqual([`${organizationId}-e#stars`]);
  });
});
