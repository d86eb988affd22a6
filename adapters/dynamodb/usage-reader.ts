// Queries the usage table for operators, a day at a time.
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { UsageReader } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import { queryAll, queryItems } from './stored/query-items.ts';
import {
  dayPartition,
  daysBetween,
  fromMarkIds,
  groupKeys,
  ORGANIZATION_SHARDS,
  organizationsPartition,
  toOrganizationRow,
  toUsageRow,
} from './usage-items.ts';

/** Leaves out expired rows, which DynamoDB deletes late. */
export function createUsageReader(
  client: DynamoDBDocumentClient,
  table: string,
  clock: Pick<Clock, 'now'>,
): UsageReader {
  return {
    async *list({ organizationId, neuronId, fromDay, toDay }) {
      for (const day of daysBetween(fromDay, toDay)) {
        const query = {
          TableName: table,
          KeyConditionExpression: 'pk = :day',
          ExpressionAttributeValues: { ':day': dayPartition(organizationId, day) },
          ConsistentRead: true,
        };
        for await (const item of queryItems(client, query)) {
          const row = toUsageRow(item, organizationId, day);
          const isCurrent = row.expiresAt === undefined || row.expiresAt * 1000 > clock.now();
          if ((neuronId === undefined || row.neuronId === neuronId) && isCurrent) yield row;
        }
      }
    },
    async *listOrganizations({ fromDay, toDay }) {
      for (const day of daysBetween(fromDay, toDay)) {
        const shards = Array.from({ length: ORGANIZATION_SHARDS }, (_, shard) => {
          const ExpressionAttributeValues = { ':shard': organizationsPartition(day, shard) };
          const query = {
            TableName: table,
            KeyConditionExpression: 'pk = :shard',
            ExpressionAttributeValues,
          };
          return queryAll(client, query);
        });
        for (const items of await Promise.all(shards))
          yield* items.map((item) => toOrganizationRow(item, day));
      }
    },
    async isCounted({ group, id }) {
      const found = await client.send(
        new GetCommand({ TableName: table, Key: groupKeys(group), ConsistentRead: true }),
      );
      return fromMarkIds((found.Item?.['ids'] ?? []) as Iterable<Uint8Array>).has(id);
    },
  };
}
