// Reads one bucket of the log table or of one of its indexes, newest first: every read is a Query.
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES, TABLES } from '../../core/contract/tables.ts';
import { asksForFailures, type LogQuery } from '../../core/ports/log-reader.ts';
import { toIso } from '../../core/time/iso.ts';
import type { Item } from './client.ts';
import { bucketKey, isBucketOf, userBucketKey } from './log-keys.ts';

/** The table or index that holds the entries of a query, and how it names the partition of an hour. */
interface LogPath {
  readonly index: string | undefined;
  readonly partition: string;
  readonly bucketOf: (hour: string, shard: number) => string;
  /** False for an item of the partition that the query does not ask for. */
  readonly isWanted: (item: Item) => boolean;
}

/** The narrowest path: the entries of a user, failures, the entries of a neuron, or all of the organization. */
export function choosePath(query: LogQuery): LogPath {
  const { organizationId, neuronId, username } = query;
  const ofOrganization = (hour: string, shard: number) => bucketKey(organizationId, hour, shard);
  const isOfNeuron = (item: Item) => neuronId === undefined || isBucketOf(neuronId, item['pk']);
  if (username !== undefined) {
    return {
      index: INDEXES.logs.byUsername,
      partition: 'usernameHour',
      bucketOf: (hour, shard) => userBucketKey(organizationId, hour, shard, username),
      isWanted: isOfNeuron,
    };
  }
  if (asksForFailures(query)) {
    return {
      index: INDEXES.logs.byFailure,
      partition: 'failureHour',
      bucketOf: ofOrganization,
      isWanted: isOfNeuron,
    };
  }
  if (neuronId === undefined) {
    return {
      index: INDEXES.logs.byOrganization,
      partition: 'organizationHour',
      bucketOf: ofOrganization,
      isWanted: () => true,
    };
  }
  const bucketOf = (hour: string, shard: number) => bucketKey(neuronId, hour, shard);
  return { index: undefined, partition: 'pk', bucketOf, isWanted: () => true };
}

/** A bucket, and the query that selects a part of it. */
interface Bucket {
  readonly path: LogPath;
  readonly hour: string;
  readonly shard: number;
  readonly query: LogQuery;
}

/** The first page is small, since most callers want only the newest entries; each later one is larger. */
const FIRST_PAGE = 100;
const MAX_PAGE = 1_600;

/** Attributes that lists show. Projecting them saves the transfer of texts from the table, though not read capacity. */
const [{ include: LISTED }] = TABLES.logs.indexes;
const PROJECTION = ['sk', ...LISTED].map((_, index) => `#a${index}`).join(', ');
const PROJECTED = Object.fromEntries(['sk', ...LISTED].map((name, index) => [`#a${index}`, name]));

/** The items of a bucket, a page at a time. */
export async function* readBucket(
  client: DynamoDBDocumentClient,
  table: string,
  { path, hour, shard, query }: Bucket,
): AsyncGenerator<Item> {
  let start: Item | undefined;
  let limit = FIRST_PAGE;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: table,
        ...(path.index === undefined
          ? {
              // Named beside the projection: rights without texts demand it (`grantView`).
              Select: 'SPECIFIC_ATTRIBUTES',
              ProjectionExpression: PROJECTION,
              ExpressionAttributeNames: PROJECTED,
            }
          : { IndexName: path.index }),
        KeyConditionExpression: `${path.partition} = :bucket AND sk BETWEEN :from AND :to`,
        ExpressionAttributeValues: {
          ':bucket': path.bucketOf(hour, shard),
          ':from': toIso(query.fromMs),
          // Excludes an entry at `to`: its sort key goes on after the time.
          ':to': toIso(query.toMs),
        },
        ScanIndexForward: false,
        Limit: limit,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const item of page.Items ?? []) if (path.isWanted(item)) yield item;
    start = page.LastEvaluatedKey;
    limit = Math.min(MAX_PAGE, limit * 4);
  } while (start !== undefined);
}
