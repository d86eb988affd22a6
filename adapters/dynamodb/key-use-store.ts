// Records the last use of API keys in the counters table: the execution function may write there, but not to keys.
import { BatchGetCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyUseStore } from '../../core/ports/keys.ts';
import { toIso } from '../../core/time/iso.ts';
import { chunksOf, MAX_BATCH } from './client.ts';
import { unlessRejected } from './conditional-write.ts';

/** How long a record outlives the last use of its key. */
const RETENTION_SECONDS = 400 * 86_400;
const PARTITION = 'LASTUSED#';

/** Last uses, one item per key. */
export function createKeyUseStore(client: DynamoDBDocumentClient, table: string): KeyUseStore {
  async function readBatch(keyIds: readonly string[]): Promise<[string, string][]> {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({
        RequestItems: { [table]: { Keys: keyIds.map((keyId) => ({ pk: `${PARTITION}${keyId}` })) } },
      }),
    );
    // A partial answer is rejected: a missing item must mean that the key was never used.
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
      await unlessRejected(
        client.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: `${PARTITION}${keyId}` },
            UpdateExpression: 'SET lastUsedAt = :at, expiresAt = :end',
            ConditionExpression: 'attribute_not_exists(lastUsedAt) OR lastUsedAt < :at',
            ExpressionAttributeValues: {
              ':at': toIso(timeMs),
              ':end': Math.floor(timeMs / 1000) + RETENTION_SECONDS,
            },
          }),
        ),
      );
    },
    async read(keyIds) {
      const found: [string, string][] = [];
      // A batch must not name a key twice.
      for (const batch of chunksOf([...new Set(keyIds)], MAX_BATCH)) found.push(...(await readBatch(batch)));
      return new Map(found);
    },
  };
}
