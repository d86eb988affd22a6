// Makes, lists and revokes API keys for the command; no function has permission to write them.
import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { TABLES } from '../../core/contract/tables.ts';
import {
  type KeyAdmin,
  type KeyLimitOutcome,
  type KeyLimits,
  parseStoredKey,
  type RevokeOutcome,
  type StoredKey,
} from '../../core/ports/keys.ts';
import { chunksOf, type Item, MAX_BATCH } from './client.ts';
import { unlessRejected } from './conditional-write.ts';
import { keyItemKey } from './key-store.ts';

const [BY_ORGANIZATION] = TABLES.keys.indexes;

interface KeyTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/**
 * The index, which follows the table within moments, only names the keys of an organization. Their attributes are read from the table:
 * an index would have to be built again to hold others.
 */
export function createKeyAdmin(client: DynamoDBDocumentClient, table: string): KeyAdmin {
  const keys = { client, table };
  return {
    async create(digest, key) {
      await client.send(
        new PutCommand({
          TableName: table,
          Item: { ...keyItemKey(digest), ...parseStoredKey(key) },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },
    async *list(organizationId) {
      for await (const page of queryPages(keys, organizationId)) yield* await readPage(keys, page);
    },
    async find(organizationId, keyId) {
      for await (const { pk } of query(keys, organizationId, keyId)) {
        const { Item } = await client.send(
          new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true }),
        );
        return Item === undefined ? undefined : parseStoredKey(Item);
      }
      return undefined;
    },
    async revoke(organizationId, keyId, revokedAt) {
      let outcome: RevokeOutcome = 'unknown';
      for await (const { pk } of query(keys, organizationId, keyId)) {
        outcome = await revokeItem(keys, pk, organizationId, revokedAt);
      }
      return outcome;
    },
    async setLimits(organizationId, keyId, usageLimits) {
      let outcome: KeyLimitOutcome = 'unknown';
      for await (const { pk } of query(keys, organizationId, keyId)) {
        outcome = await setItemLimits(keys, { pk, organizationId, usageLimits });
      }
      return outcome;
    },
    async revokeAll(organizationId, revokedAt) {
      let revoked = 0;
      for await (const { pk } of query(keys, organizationId)) {
        if ((await revokeItem(keys, pk, organizationId, revokedAt)) === 'revoked') revoked += 1;
      }
      return revoked;
    },
  };
}

async function* query(keys: KeyTable, organizationId: string, keyId?: string) {
  for await (const page of queryPages(keys, organizationId, keyId)) yield* page;
}

async function* queryPages({ client, table }: KeyTable, organizationId: string, keyId?: string) {
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: BY_ORGANIZATION.name,
      KeyConditionExpression:
        keyId === undefined ? 'organizationId = :o' : 'organizationId = :o AND keyId = :k',
      ExpressionAttributeValues: { ':o': organizationId, ...(keyId === undefined ? {} : { ':k': keyId }) },
    },
  );
  for await (const page of pages) yield page.Items ?? [];
}

/** The keys of one page, in its order. */
async function readPage(keys: KeyTable, page: readonly Item[]): Promise<readonly StoredKey[]> {
  const found: StoredKey[] = [];
  for (const items of chunksOf(page, MAX_BATCH)) {
    found.push(...(await readItems(keys, items)).map(parseStoredKey));
  }
  return found.sort((one, other) => (one.keyId < other.keyId ? -1 : 1));
}

/** Every answer holds up to 16 MB, so few rounds are needed. */
async function readItems({ client, table }: KeyTable, items: readonly Item[]): Promise<readonly Item[]> {
  const found: Item[] = [];
  let wanted: Item[] | undefined = items.map(({ pk }) => ({ pk }));
  while (wanted !== undefined) {
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } } }),
    );
    found.push(...(Responses?.[table] ?? []));
    wanted = UnprocessedKeys?.[table]?.Keys;
  }
  return found;
}

async function revokeItem(
  { client, table }: KeyTable,
  pk: unknown,
  organizationId: string,
  revokedAt: string,
): Promise<RevokeOutcome> {
  const isWritten = await unlessRejected(
    client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk },
        UpdateExpression: 'SET revokedAt = :at',
        // The index may lag behind the table.
        ConditionExpression: 'organizationId = :o AND attribute_not_exists(revokedAt)',
        ExpressionAttributeValues: { ':at': revokedAt, ':o': organizationId },
      }),
    ),
  );
  return isWritten ? 'revoked' : 'already_revoked';
}

/** A revoked key keeps the limits that it had. */
async function setItemLimits(
  { client, table }: KeyTable,
  key: { readonly pk: unknown; readonly organizationId: string; readonly usageLimits: KeyLimits },
): Promise<KeyLimitOutcome> {
  const { pk, organizationId, usageLimits } = key;
  const isNone = usageLimits.length === 0;
  const isWritten = await unlessRejected(
    client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk },
        UpdateExpression: isNone ? 'REMOVE usageLimits' : 'SET usageLimits = :limits',
        ConditionExpression: 'organizationId = :o AND attribute_not_exists(revokedAt)',
        ExpressionAttributeValues: { ':o': organizationId, ...(isNone ? {} : { ':limits': usageLimits }) },
      }),
    ),
  );
  return isWritten ? 'set' : 'revoked';
}
