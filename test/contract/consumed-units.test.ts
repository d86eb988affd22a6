// The units that the embedded DynamoDB consumes for a call are those that docs/costs.md is computed from.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import { createKeyAdmin } from '../../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../../adapters/dynamodb/key-store.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { createResponseCacheStore } from '../../adapters/dynamodb/response-cache.ts';
import type { CacheScope } from '../../core/ports/response-cache.ts';
import {
  limitsOfHit,
  type PricedCall,
  sealUnits,
  useOfCall,
} from '../../core/pricing/infrastructure-cost.ts';
import { entryOf, FACTS, NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createSealedLog } from '../support/sealed-log.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

interface Consumed {
  readonly command: string;
  readonly units: number;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

/** A client that keeps the units of each command. The engine counts as DynamoDB does, indexes included. */
function watched() {
  const consumed: Consumed[] = [];
  const client = Object.create(dynamoDb.client) as TestDynamoDb['client'];
  client.send = (async (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer = (await dynamoDb.client.send(command as never)) as {
      readonly ConsumedCapacity?: Capacity | readonly Capacity[];
    };
    const units = [answer.ConsumedCapacity ?? []]
      .flat()
      .reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
    consumed.push({ command: command.constructor.name, units });
    return answer;
  }) as never;
  const unitsOf = (pattern: RegExp) =>
    consumed.filter(({ command }) => pattern.test(command)).reduce((sum, { units }) => sum + units, 0);
  return { client, consumed, unitsOf };
}

const HIT: PricedCall = {
  ...{ isHit: true, milliseconds: 30, memoryMegabytes: 1_024, ...limitsOfHit(2) },
  ...{ callsPerSecond: 1, entriesPerBatch: 10 },
};
const [hit, model] = [useOfCall(HIT), useOfCall({ ...HIT, isHit: false, limitWrites: 2, limitReads: 0 })];

describe('the units of a call', () => {
  it('are one read for the API key', async () => {
    const { client, unitsOf } = watched();
    const digest = createHash('sha256').update('key').digest('hex');
    await createKeyAdmin(dynamoDb.client, dynamoDb.tables.keys).create(digest, {
      ...{ keyId: 'AbCdEfGh1234', organizationId: 'org', name: 'back-end', prefix: 'nrn_AbCdEfGh1234' },
      ...{ lastFour: 'zzzz', createdAt: '2026-11-21T00:00:00.000Z', createdBy: 'ada' },
    });
    expect(await createKeyStore(client, dynamoDb.tables.keys).read(digest)).toBeDefined();
    expect(unitsOf(/./)).toBe(hit['API key'].readUnits);
  });

  it('are two writes for a limit that is settled, and a read where the cache has the answer', async () => {
    const { client, unitsOf } = watched();
    const store = createCounterStore(client, dynamoDb.tables.counters);
    const key = 'neuron#total#1d##2026-11-21';
    const changes = [{ metric: 'tokens', taken: 500, held: 500, limit: 9_000 }] as const;
    expect(await store.reserve({ key, changes, atMs: 1, expiresAt: 2_000_000_000 })).toMatchObject({
      reserved: true,
    });
    await store.settle({ key, changes: [{ metric: 'tokens', taken: -100, held: -500 }] });
    expect(unitsOf(/./)).toBe(model.limits.writeUnits);
    await store.read([key]);
    expect(unitsOf(/Get/)).toBe(hit.limits.readUnits);
    expect(hit.limits.writeUnits).toBe(0);
  });

  it('are a read for the exact cache, and two writes for an answer of up to 2 KiB', async () => {
    const { client, unitsOf } = watched();
    const store = createResponseCacheStore(client, dynamoDb.tables.cache);
    const scope = 'a'.repeat(64) as CacheScope;
    const answer = {
      ...{ output: 'o'.repeat(1_200), costMicrodollars: 17, tokensInput: 3, tokensOutput: 5 },
      ...{ executionId: 'exec-1', storedAtMs: NOON_MS, expiresAt: NOON_MS / 1_000 + 3_600 },
    };
    await store.write(scope, 'b'.repeat(64), answer);
    expect(unitsOf(/Put|Update/)).toBe(model['exact cache'].writeUnits);
    await store.read(scope, 'b'.repeat(64));
    expect(unitsOf(/Get/)).toBe(hit['exact cache'].readUnits);
  });

  it('are a write for the entry and for each of two indexes', async () => {
    const { client, unitsOf } = watched();
    const { username: _none, ...caller } = FACTS.caller;
    const facts = { ...FACTS, caller: { ...caller, username: undefined } };
    await createLogStore(client, dynamoDb.tables.logs, 1).put(
      entryOf({ ...facts, executionId: 'alone', charges: { perRequest: 14_010, perEntry: 0 } }),
    );
    expect(unitsOf(/./)).toBe(hit['log entry'].writeUnits);
  });

  it('are those of marks, rows, seal and head for a batch of ten that ended together', async () => {
    const { client, consumed } = watched();
    const log = createSealedLog({ ...dynamoDb, client }, 'org-batch', NOON_MS);
    await log.seal({ skip: true });
    for (let at = 0; at < 10; at += 1)
      await log.store.put(log.entry(`exec-${at}`, { timeMs: log.clock.now() }));
    consumed.length = 0;
    await log.seal();
    const written = consumed.filter(({ command }) => command.startsWith('Transact'));
    const units = written.reduce((sum, one) => sum + one.units, 0);
    // One item of marks, since all ended in one slot, and the rows of the organization, the neuron, its user, model and version.
    expect(units).toBe(2 * (1 + 5) + sealUnits(10));
  });
});
