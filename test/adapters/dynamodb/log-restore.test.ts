// What DynamoDB alone makes hard: entries that come back from their line, and texts that are no UTF-8.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogReader } from '../../../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../../../adapters/dynamodb/log-store.ts';
import { createKeepText } from '../../../core/logs/bodies.ts';
import { buildEntry } from '../../../core/logs/build-entry.ts';
import { parseLine, renderLine } from '../../../core/logs/line.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { LogStore } from '../../../core/ports/stores.ts';
import { entryOf, FACTS, NOON_MS } from '../../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/dynamodb.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

let dynamoDb: TestDynamoDb;
let store: LogStore & LogReader;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  const { client, tables } = dynamoDb;
  const clock = createMemoryClock(NOON_MS);
  store = {
    ...createLogStore(client, tables.logs, 1),
    ...createLogReader(client, tables.logs, { clock, shards: 1 }),
  };
});
afterAll(() => dynamoDb.stop());

/** As JSON keeps it: a member that is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('takes what the cache and a large trace were back exactly, but for texts', async () => {
  const steps = Array.from({ length: 60 }, (_, index) => ({
    type: 'callModel',
    atMs: index,
    decision: 'then',
  }));
  const run = {
    ...FACTS.run!,
    cache: 'semantic',
    cacheDistance: 0.0312,
    cacheSource: 'exec-0',
    cacheFailures: ['read'],
    savingsMicrodollars: 21,
    trace: steps,
  } as const;
  const lost = entryOf({ run });
  const settle = [
    { key: 'neu-1#ip#1d#hash#now', changes: [{ metric: 'tokens', taken: -7, held: -9 }] },
  ] as const;
  const limits = { settle, reservationsExceeded: 1, countersUnavailable: 0 };
  const restored = parseLine(renderLine(lost, { stage: 'test', limits }));
  if (restored === undefined) throw new Error('the line was not read');
  await store.put(restored);
  const { input: _input, output: _output, ...rest } = lost;
  expect(plain(await store.find(lost.executionId))).toEqual(plain({ ...rest, restored: true }));
});

it('takes a text with half a surrogate pair, which a caller can send', async () => {
  const facts = { ...FACTS, executionId: 'exec-half', input: 'a\ud83db' };
  await store.put(buildEntry(facts, createKeepText('full', undefined)));
  expect(await store.find(facts.executionId)).toMatchObject({ input: { text: 'a\ufffdb', bytes: 5 } });
});
