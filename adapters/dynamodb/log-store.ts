// Appends entries to the log table.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LogStore } from '../../core/ports/stores.ts';
import { unlessRejected } from './conditional-write.ts';
import { createSalt, toLogItem } from './log-items.ts';

/** Never changes an entry that is already there. `shards`: those of an hour, a setting of the stage. */
export function createLogStore(client: DynamoDBDocumentClient, table: string, shards: number): LogStore {
  return {
    put: (entry) =>
      unlessRejected(
        client.send(
          new PutCommand({
            TableName: table,
            Item: { ...toLogItem(entry, shards), salt: createSalt() },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      ),
  };
}
