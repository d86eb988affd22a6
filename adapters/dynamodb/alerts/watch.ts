// Owners of limits with alerts that were called lately, as items of the usage table.
import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AlertWatch } from '../../../core/ports/alerts.ts';
import { PENDING_PARTITION, toWatchedOwner, WATCH_PREFIX, watchKeys } from './alert-items.ts';

/** All owners are in one partition, so that one query lists them. */
export function createAlertWatch(client: DynamoDBDocumentClient, table: string): AlertWatch {
  return {
    async watch(owner, expiresAt) {
      const { organization, organizationId, keyId } = owner;
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: watchKeys(owner),
          UpdateExpression: `SET organization = :slug, organizationId = :id, expiresAt = :end${keyId === undefined ? '' : ', keyId = :key'}`,
          ExpressionAttributeValues: {
            ':slug': organization,
            ':id': organizationId,
            ':end': expiresAt,
            ...(keyId === undefined ? {} : { ':key': keyId }),
          },
        }),
      );
    },
    async listWatched(nowMs, { maximum, after }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':partition': PENDING_PARTITION, ':prefix': WATCH_PREFIX },
          // One more than asked for tells whether a page follows: after a full page DynamoDB names a key in any case.
          Limit: maximum + 1,
          ...(after === undefined ? {} : { ExclusiveStartKey: { pk: PENDING_PARTITION, sk: after } }),
        }),
      );
      const page = Items.slice(0, maximum);
      const isLast = page.length === Items.length && LastEvaluatedKey === undefined;
      // TTL deletes late.
      const owners = page.filter(({ expiresAt }) => Number(expiresAt) * 1000 > nowMs).map(toWatchedOwner);
      return { owners, next: isLast ? undefined : String(page.at(-1)?.['sk']) };
    },
  };
}
