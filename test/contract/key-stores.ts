// Key stores in memory and in the embedded DynamoDB, for the suites that hold for both.
import { afterAll, beforeAll } from 'vitest';
import { createKeyAdmin } from '../../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../../adapters/dynamodb/key-store.ts';
import { createKeyUseStore } from '../../adapters/dynamodb/key-use-store.ts';
import type { KeyAdmin, KeyStore, KeyUseStore, StoredKey } from '../../core/ports/keys.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryKeyStore, createMemoryKeyUseStore } from '../support/memory/key-store.ts';

interface Stores {
  readonly keys: KeyStore;
  readonly admin: KeyAdmin;
  readonly uses: KeyUseStore;
}

/** Starts a database for the tests of the calling file. */
export function keyStores() {
  let database: TestDynamoDb;
  beforeAll(async () => {
    database = await startDynamoDb();
  });
  afterAll(() => database.stop());

  function memoryStores(): Stores {
    const keys = createMemoryKeyStore();
    return { keys, admin: keys, uses: createMemoryKeyUseStore() };
  }

  function dynamoDbStores(): Stores {
    const { client, tables } = database;
    return {
      keys: createKeyStore(client, tables.keys),
      admin: createKeyAdmin(client, tables.keys),
      uses: createKeyUseStore(client, tables.counters),
    };
  }

  return { memoryStores, dynamoDbStores };
}

let made = 0;
/** Names that no other test of the file uses: the tables are the same for all. */
export function fresh(): { readonly organizationId: string; readonly digest: () => string } {
  made += 1;
  const organizationId = `org-${made}`;
  return { organizationId, digest: () => (made++).toString(16).padStart(64, '0') };
}

export function key(organizationId: string, keyId: string, parts: Partial<StoredKey> = {}): StoredKey {
  return {
    keyId,
    organizationId,
    name: 'Back end of the shop',
    prefix: `nrn_${keyId}`,
    lastFour: 'Fzi4',
    createdAt: '2026-11-21T12:00:00.000Z',
    createdBy: 'arn:aws:iam::111122223333:user/op',
    ...parts,
  };
}

export async function listOf(admin: KeyAdmin, organizationId: string): Promise<StoredKey[]> {
  const listed: StoredKey[] = [];
  for await (const one of admin.list(organizationId)) listed.push(one);
  return listed;
}
