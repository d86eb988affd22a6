// Makes, lists and revokes API keys for the command; no function has the rights for it.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLES } from '../../core/contract/tables.ts';
import { type KeyAdmin, parseStoredKey, type RevokeOutcome } from '../../core/ports/keys.ts';
import { keyItemKey } from './key-store.ts';

const [BY_ORGANIZATION] = TABLES.keys.indexes;

/** The table, and how to reach it. */
interface Keys {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** Keys of the keys table. Lists come from an index, which follows the table within moments. */
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
      for await (const item of query(keys, organizationId)) yield parseStoredKey(item);
    },
    async find(organizationId, keyId) {
      for await (const item of query(keys, organizationId, keyId)) return parseStoredKey(item);
      return undefined;
    },
    async revoke(organizationId, keyId, revokedAt) {
      let outcome: RevokeOutcome = 'unknown';
      for await (const { pk } of query(keys, organizationId, keyId)) {
        outcome = await revokeItem(keys, pk, organizationId, revokedAt);
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

async function* query({ client, table }: Keys, organizationId: string, keyId?: string) {
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
  for await (const page of pages) yield* page.Items ?? [];
}

async function revokeItem(
  { client, table }: Keys,
  pk: unknown,
  organizationId: string,
  revokedAt: string,
): Promise<RevokeOutcome> {
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk },
        UpdateExpression: 'SET revokedAt = :at',
        // The index may lag behind: what the table holds decides.
        ConditionExpression: 'organizationId = :o AND attribute_not_exists(revokedAt)',
        ExpressionAttributeValues: { ':at': revokedAt, ':o': organizationId },
      }),
    );
    return 'revoked';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'already_revoked';
    throw error;
  }
}
