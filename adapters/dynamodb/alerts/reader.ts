// Lists the recorded alerts of an organization for operators.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AlertReader } from '../../../core/ports/alerts.ts';
import { queryItems } from '../stored/query-items.ts';
import { alertPartition, currentPartition, toAlertRecord } from './alert-items.ts';

/** Strongly consistent, in the order of windows. */
export function createAlertReader(client: DynamoDBDocumentClient, table: string): AlertReader {
  return {
    async *list(organizationId) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': alertPartition(organizationId) },
        ConsistentRead: true,
      };
      for await (const item of queryItems(client, query)) yield toAlertRecord(item);
    },
    async *listCurrent(nowMs) {
      for (const period of ['day', 'month'] as const) {
        const query = {
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': currentPartition(period, nowMs) },
        };
        for await (const item of queryItems(client, query)) yield toAlertRecord(item).alert;
      }
    },
  };
}
