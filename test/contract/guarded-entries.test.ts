// Entries with finds of guards, as reports read them: the same of memory and of DynamoDB.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { createGuardedEntries } from '../../adapters/dynamodb/stored/guarded-entries.ts';
import type { LoggedGuard } from '../../core/contract/log-entry.ts';
import type { GuardedEntries, GuardedEntry, GuardedQuery } from '../../core/ports/guarded-entries.ts';
import type { LogStore } from '../../core/ports/stores.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLog } from '../support/memory/log-store.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const HOUR_MS = 3_600_000;
const clock = createMemoryClock(NOON_MS);
const stores: [string, () => LogStore & GuardedEntries][] = [
  ['memory', () => createMemoryLog(clock)],
  [
    'DynamoDB',
    () => ({
      ...createLogStore(dynamoDb.client, dynamoDb.tables.logs, 3),
      ...createGuardedEntries(dynamoDb.client, dynamoDb.tables.logs, { clock, shards: 3 }),
    }),
  ],
];

const GUARDS: readonly LoggedGuard[] = [
  {
    guard: 'pii',
    type: 'pii',
    stage: 'input',
    message: 0,
    action: 'redact',
    finds: [{ type: 'email', count: 2 }],
  },
];

interface Put {
  readonly id: string;
  readonly hoursAgo?: number;
  readonly neuron?: string;
  readonly guards?: readonly LoggedGuard[];
  readonly retentionMs?: number;
  readonly organizationId?: string;
}

describe.each(stores)('entries with finds in %s', (_name, create) => {
  const put = (store: LogStore, { id, hoursAgo = 0, neuron = 'hello', guards, ...owner }: Put) =>
    store.put(
      entryOf({
        executionId: `${_name}-${id}`,
        timeMs: NOON_MS - hoursAgo * HOUR_MS,
        subject: {
          ...FACTS.subject,
          neuron,
          neuronId: `${_name}-${neuron}`,
          organizationId: `${_name}-org`,
          ...owner,
        },
        guards,
      }),
    );
  const read = async (store: GuardedEntries, changes: Partial<GuardedQuery> = {}) => {
    const query = {
      organizationId: `${_name}-org`,
      fromMs: NOON_MS - 48 * HOUR_MS,
      toMs: NOON_MS + 1,
      ...changes,
    };
    const entries: GuardedEntry[] = [];
    const starts: number[] = [];
    let scanned = 0;
    for await (const part of store.parts(query)) {
      entries.push(...part.entries);
      scanned += part.scanned;
      starts.push(part.fromMs);
    }
    expect(starts.at(-1)).toBe(query.fromMs);
    expect(starts).toEqual(starts.toSorted((a, b) => b - a));
    const neurons = entries.map(({ neuron, timeMs }) => `${neuron} ${(NOON_MS - timeMs) / HOUR_MS}`).sort();
    return { entries, scanned, neurons };
  };

  it('are those of the owner and the period that have finds, with nothing but what a report needs', async () => {
    const store = create();
    await put(store, { id: 'a', guards: GUARDS });
    await put(store, { id: 'b', hoursAgo: 30, neuron: 'other', guards: GUARDS });
    await put(store, { id: 'c', hoursAgo: 1 });
    await put(store, { id: 'd', hoursAgo: 60, guards: GUARDS });
    await put(store, { id: 'e', guards: GUARDS, organizationId: `${_name}-foreign` });
    // Its retention has ended.
    await put(store, { id: 'f', hoursAgo: 3, guards: GUARDS, retentionMs: HOUR_MS });
    const { entries, neurons } = await read(store);
    expect(neurons).toEqual(['hello 0', 'other 30']);
    expect(entries).toContainEqual({
      timeMs: NOON_MS,
      neuron: 'hello',
      outcome: 'success',
      count: 1,
      guards: GUARDS,
    });
    expect((await read(store, { neuronId: `${_name}-other` })).neurons).toEqual(['other 30']);
    expect((await read(store, { toMs: NOON_MS })).neurons).toEqual(['other 30']);
    expect((await read(store)).scanned).toBeGreaterThanOrEqual(3);
  });
});
