// Keys as the authorizer meets them, over the embedded DynamoDB: revoked, of another life of the same slug, one of very many.
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettingsStore } from '../../../adapters/dynamodb/config-store.ts';
import { createKeyAdmin } from '../../../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../../../adapters/dynamodb/key-store.ts';
import { generateApiKey, type NewApiKey } from '../../../core/access/api-key.ts';
import { startKeyLookup, toAccessFacts } from '../../../core/access/credentials.ts';
import type { Decision } from '../../../core/access/decision.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';
import { type CachedSettings, cacheSettings } from '../../../core/settings/settings-cache.ts';
import { readAccess } from '../../../lambdas/authorizer/authorize.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/dynamodb.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { decide, requestWith, storedKey } from './examples.ts';

const AT = '2026-11-22T00:00:00.000Z';
const random = createMemoryRandom(11);
/** Commands that reached the database, in order. */
const sent: string[] = [];
let database: TestDynamoDb;

beforeAll(async () => {
  database = await startDynamoDb();
  database.client.middlewareStack.add(
    (next, context) => (args) => {
      sent.push(String(context.commandName));
      return next(args);
    },
    { step: 'initialize' },
  );
});
afterAll(() => database.stop());

/** Writes the items of `acme/support` as `apply` leaves them, open to API keys. */
async function writeSettings(organizationId: string, neuronId: string): Promise<void> {
  const items = [
    {
      pk: 'ORG#acme',
      sk: 'META',
      id: organizationId,
      slug: 'acme',
      document: { organization: 'acme' },
      write: 1,
    },
    {
      pk: 'ORG#acme',
      sk: 'NEURON#support',
      id: neuronId,
      organizationId,
      slug: 'support',
      document: { neuron: 'acme/support', access: { apiKey: true } },
      write: 1,
    },
  ];
  await putAll(database.tables.config, items);
}

async function putAll(table: string, items: readonly Record<string, unknown>[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / 25) }, (_, index) =>
    items.slice(index * 25, index * 25 + 25),
  );
  for (const batch of batches) {
    const writes = batch.map((Item) => ({ PutRequest: { Item } }));
    await database.client.send(new BatchWriteCommand({ RequestItems: { [table]: writes } }));
  }
}

/** What an execution environment keeps between requests. */
function openEnvironment(): CachedSettings {
  const store = createSettingsStore(database.client, database.tables.config);
  const limits = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 10 };
  return cacheSettings(store, createMemoryClock(), limits);
}

/** One request with a key, decided as the authorizer does it. */
async function call(environment: CachedSettings, { key }: NewApiKey): Promise<Decision> {
  const request = requestWith({ authorizations: [`Bearer ${key}`] });
  const store = createKeyStore(database.client, database.tables.keys);
  const keys = startKeyLookup(toAccessFacts(request), store);
  const { access } = await readAccess(request, { settings: environment });
  return decide(access, request, { keys, jwt: NO_JWTS });
}

const admin = () => createKeyAdmin(database.client, database.tables.keys);

async function addKey(parts: Partial<StoredKey> = {}): Promise<NewApiKey> {
  const made = generateApiKey(random);
  await admin().create(made.digest, storedKey(made, parts));
  return made;
}

describe('a key in DynamoDB', () => {
  it('refuses the very request after its revocation, in an environment that has just let it in', async () => {
    await writeSettings('org-1', 'neuron-1');
    const environment = openEnvironment();
    const key = await addKey({ organizationId: 'org-1' });
    expect(await call(environment, key)).toMatchObject({ outcome: 'allow', keyId: key.keyId });
    expect(await admin().revoke('org-1', key.keyId, AT)).toBe('revoked');
    expect(await call(environment, key)).toMatchObject({
      outcome: 'refused',
      code: 'unauthorized',
      reason: 'the API key is revoked',
    });
  });

  it('refuses a key, revoked or not, once its slug is deleted and made again', async () => {
    await writeSettings('org-1', 'neuron-1');
    const [all, one] = [
      await addKey({ organizationId: 'org-1' }),
      await addKey({ organizationId: 'org-1', neurons: ['neuron-1'] }),
    ];
    expect((await call(openEnvironment(), all)).outcome).toBe('allow');
    expect((await call(openEnvironment(), one)).outcome).toBe('allow');
    await writeSettings('org-1', 'neuron-2');
    expect((await call(openEnvironment(), all)).outcome).toBe('allow');
    expect((await call(openEnvironment(), one)).reason).toBe('the API key is not for this neuron');
    await writeSettings('org-2', 'neuron-3');
    for (const key of [all, one]) {
      expect((await call(openEnvironment(), key)).reason).toBe('the API key belongs to another organization');
    }
  });

  it('costs a request one read beside one of settings, whether the organization has one key or 10,000', async () => {
    await writeSettings('org-3', 'neuron-4');
    const key = await addKey({ organizationId: 'org-3' });
    const commandsOf = async (environment: CachedSettings) => {
      sent.length = 0;
      expect((await call(environment, key)).outcome).toBe('allow');
      return [...sent].sort();
    };
    const few = openEnvironment();
    expect(await commandsOf(few)).toEqual(['BatchGetItemCommand', 'GetItemCommand']);
    expect(await commandsOf(few)).toEqual(['GetItemCommand']);
    const others = Array.from({ length: 10_000 }, () => {
      const made = generateApiKey(random);
      return { pk: `KEY#${made.digest}`, ...storedKey(made, { organizationId: 'org-3' }) };
    });
    await putAll(database.tables.keys, others);
    const many = openEnvironment();
    expect(await commandsOf(many)).toEqual(['BatchGetItemCommand', 'GetItemCommand']);
    expect(await commandsOf(many)).toEqual(['GetItemCommand']);
  });

  it('asks nothing of the keys table for a malformed key', async () => {
    await writeSettings('org-3', 'neuron-4');
    const environment = openEnvironment();
    sent.length = 0;
    const decision = await call(environment, { ...generateApiKey(random), key: 'nrn_abc' });
    expect(decision).toMatchObject({ outcome: 'refused', code: 'unauthorized' });
    expect(sent).toEqual(['BatchGetItemCommand']);
  });
});
