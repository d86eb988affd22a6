// Appends entries to the log table.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LogStore } from '../../core/ports/stores.ts';
import { createSalt, toLogItem } from './log-items.ts';

/** Never changes an entry that is already there. `shards`: those of an hour, a setting of the stage. */
export function createLogStore(client: DynamoDBDocumentClient, table: string, shards: number): LogStore {
  return {
    async put(entry) {
      try {
        await client.send(
          new PutCommand({
            TableName: table,
            Item: { ...toLogItem(entry, shards), salt: createSalt() },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}
