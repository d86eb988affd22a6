// Makes, lists and revokes API keys for the command; no function has permission to write them.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { TABLES } from '../../core/contract/tables.ts';
import {
  digestInName,
  type KeyAdmin,
  type KeyChange,
  type KeyChangeOutcome,
  type KeyRotation,
  type KeyRotationOutcome,
  parseStoredKey,
  type RevokeOutcome,
  type StoredKey,
} from '../../core/ports/keys.ts';
import { chunksOf, type Item, MAX_BATCH } from './client.ts';
import { unlessRejected } from './conditional-write.ts';
import { createKeyStore, keyItemKey } from './key-store.ts';

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
    create: async (digest, key) =>
      unlessRejected(
        client.send(
          new PutCommand({
            TableName: table,
            Item: { ...keyItemKey(digest), ...parseStoredKey(key) },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      ),
    async *list(organizationId) {
      for await (const page of queryPages(keys, organizationId)) yield* await readPage(keys, page);
    },
    async find(organizationId, name) {
      const digest = digestInName(name);
      if (digest === undefined) return (await findNewest(keys, organizationId, name))?.key;
      const key = await createKeyStore(client, table).read(digest);
      if (key === undefined || key.organizationId !== organizationId) return undefined;
      return (await findNewest(keys, organizationId, key.keyId))?.key;
    },
    async revoke(organizationId, keyId, revokedAt) {
      let outcome: RevokeOutcome = 'unknown';
      for await (const { pk } of query(keys, organizationId, keyId)) {
        const one = await revokeItem(keys, pk, organizationId, revokedAt);
        if (outcome !== 'revoked') outcome = one;
      }
      return outcome;
    },
    async change(organizationId, keyId, change) {
      let outcome: KeyChangeOutcome = 'unknown';
      for await (const { pk } of query(keys, organizationId, keyId)) {
        const one = await changeItem(keys, { pk, organizationId }, change);
        if (outcome !== 'changed') outcome = one;
      }
      return outcome;
    },
    async rotate(organizationId, keyId, rotation) {
      const newest = await findNewest(keys, organizationId, keyId);
      if (newest === undefined) return 'unknown';
      if (newest.key.revokedAt !== undefined) return 'revoked';
      return rotateItem(keys, { ...newest, organizationId }, rotation);
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

/** The text of a key that no other one has replaced. */
async function findNewest(
  keys: KeyTable,
  organizationId: string,
  keyId: string,
): Promise<{ readonly pk: unknown; readonly key: StoredKey } | undefined> {
  for await (const { pk } of query(keys, organizationId, keyId)) {
    const { Item } = await keys.client.send(
      new GetCommand({ TableName: keys.table, Key: { pk }, ConsistentRead: true }),
    );
    const key = Item === undefined ? undefined : parseStoredKey(Item);
    if (key !== undefined && key.replacedAt === undefined) return { pk, key };
  }
  return undefined;
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
  return found.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
}

function orderOf({ keyId, createdAt }: StoredKey): string {
  return `${keyId} ${createdAt}`;
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

/** Changes one text of a key; `revoked` where it changed nothing. A revoked text keeps what it had. */
async function changeItem(
  { client, table }: KeyTable,
  { pk, organizationId }: OwnedItem,
  { expiresAt, ...others }: KeyChange,
): Promise<'changed' | 'revoked'> {
  const set = (change: KeyChange, condition: string): Promise<boolean> =>
    unlessRejected(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: { pk },
          ...toUpdate(change, organizationId),
          ConditionExpression: `organizationId = :o AND attribute_not_exists(revokedAt) AND ${condition}`,
        }),
      ),
    );
  const change = expiresAt === undefined ? others : { ...others, expiresAt };
  if (await set(change, 'attribute_not_exists(replacedAt)')) return 'changed';
  if (Object.keys(others).length === 0) return 'revoked';
  return (await set(others, 'attribute_exists(replacedAt)')) ? 'changed' : 'revoked';
}

interface OwnedItem {
  readonly pk: unknown;
  readonly organizationId: string;
}

function toUpdate(change: KeyChange, organizationId: string) {
  const set = Object.entries(change).filter(([, value]) => value !== undefined && value !== null);
  const removed = Object.entries(change).flatMap(([name, value]) => (value === null ? [`#${name}`] : []));
  const clauses = [
    ...(set.length === 0 ? [] : [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`]),
    ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
  ];
  const names = Object.keys(change).map((name) => [`#${name}`, name] as const);
  return {
    UpdateExpression: clauses.join(' '),
    ExpressionAttributeNames: Object.fromEntries(names),
    ExpressionAttributeValues: {
      ':o': organizationId,
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

/** Both writes or neither: a key never has two texts without an end, and never none. */
async function rotateItem(
  { client, table }: KeyTable,
  { pk, organizationId, key }: OwnedItem & { readonly key: StoredKey },
  { digest, prefix, lastFour, rotatedAt, rotatedBy, overlapEndsAt }: KeyRotation,
): Promise<KeyRotationOutcome> {
  const next = { ...key, prefix, lastFour, createdAt: rotatedAt, createdBy: rotatedBy };
  const ends = key.expiresAt !== undefined && key.expiresAt < overlapEndsAt ? key.expiresAt : overlapEndsAt;
  const isUnchanged = Object.entries({
    expiresAt: key.expiresAt,
    replacedAt: undefined,
    revokedAt: undefined,
  })
    .map(([name, value]) => (value === undefined ? `attribute_not_exists(${name})` : `${name} = :before`))
    .join(' AND ');
  try {
    await client.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Put: {
              TableName: table,
              Item: { ...keyItemKey(digest), ...parseStoredKey(next) },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
          {
            Update: {
              TableName: table,
              Key: { pk },
              UpdateExpression: 'SET expiresAt = :ends, replacedAt = :at',
              ConditionExpression: `organizationId = :o AND ${isUnchanged}`,
              ExpressionAttributeValues: {
                ':o': organizationId,
                ':ends': ends,
                ':at': rotatedAt,
                ...(key.expiresAt === undefined ? {} : { ':before': key.expiresAt }),
              },
            },
          },
        ],
      }),
    );
    return 'rotated';
  } catch (error) {
    if (error instanceof TransactionCanceledException) return 'conflict';
    throw error;
  }
}
