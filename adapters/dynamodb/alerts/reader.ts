// Lists the recorded alerts of an organization for operators.
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { AlertReader } from '../../../core/ports/alerts.ts';
import { alertPartition, toAlertRecord } from './alert-items.ts';

/** Strongly consistent, in the order of windows. */
export function createAlertReader(client: DynamoDBDocumentClient, table: string): AlertReader {
  return {
    async *list(organizationId) {
      const pages = paginateQuery(
        { client },
        {
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': alertPartition(organizationId) },
          ConsistentRead: true,
        },
      );
      for await (const { Items = [] } of pages) yield* Items.map(toAlertRecord);
    },
  };
}
