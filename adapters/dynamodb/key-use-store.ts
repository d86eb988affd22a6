// Records in the counters table when API keys were last used: the execution function may write there, and to no key.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyUseStore } from '../../core/ports/keys.ts';

/** A key that is never used again leaves its record behind for this long. */
const KEPT_SECONDS = 400 * 86_400;
/** Most keys of one BatchGetItem (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html). */
const BATCH = 100;
const PARTITION = 'LASTUSED#';

/** Last uses, one item per key. */
export function createKeyUseStore(client: DynamoDBDocumentClient, table: string): KeyUseStore {
  async function readBatch(keyIds: readonly string[]): Promise<[string, string][]> {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({
        RequestItems: { [table]: { Keys: keyIds.map((keyId) => ({ pk: `${PARTITION}${keyId}` })) } },
      }),
    );
    // A part of the answer is no answer: a missing item must mean that the key was never used.
    if (Object.keys(UnprocessedKeys ?? {}).length > 0) {
      throw Object.assign(new Error('the counters table is throttled'), { name: 'ThrottlingException' });
    }
    return (Responses?.[table] ?? []).map(({ pk, lastUsedAt }) => [
      String(pk).slice(PARTITION.length),
      String(lastUsedAt),
    ]);
  }

  return {
    async record(keyId, timeMs) {
      try {
        await client.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: `${PARTITION}${keyId}` },
            UpdateExpression: 'SET lastUsedAt = :at, expiresAt = :end',
            ConditionExpression: 'attribute_not_exists(lastUsedAt) OR lastUsedAt < :at',
            ExpressionAttributeValues: {
              ':at': new Date(timeMs).toISOString(),
              ':end': Math.floor(timeMs / 1000) + KEPT_SECONDS,
            },
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
    async read(keyIds) {
      const found: [string, string][] = [];
      for (let start = 0; start < keyIds.length; start += BATCH) {
        found.push(...(await readBatch(keyIds.slice(start, start + BATCH))));
      }
      return new Map(found);
    },
  };
}
