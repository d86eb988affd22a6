// Appends entries to the log table.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { LogStore } from '../../core/ports/stores.ts';
import { entryKeys } from './log-keys.ts';

/** Puts entries and never changes one: an entry that is already there stays as it is. */
export function createLogStore(client: DynamoDBDocumentClient, table: string): LogStore {
  return {
    async put(entry) {
      try {
        await client.send(
          new PutCommand({
            TableName: table,
            Item: { ...entryKeys(entry), ...entry },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
}
