// Reads one bucket of the log table or of one of its indexes, newest first: every read is a Query.
import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { INDEXES, TABLES } from '../../core/contract/tables.ts';
import { asksForFailures, type LogQuery } from '../../core/ports/log-reader.ts';
import type { Item } from './client.ts';
import { bucketKey, isBucketOf, userBucketKey } from './log-keys.ts';

/** Where the entries of a query are, and how the partition of one of its hours is named. */
interface LogPath {
  readonly index: string | undefined;
  readonly partition: string;
  readonly bucketOf: (hour: string, shard: number) => string;
  /** True for an item of this partition that is meant. */
  readonly isMeant: (item: Item) => boolean;
}

/** The narrowest path: a user's entries, failures, one neuron's, or all of the organization. */
export function pathOf(query: LogQuery): LogPath {
  const { organizationId, neuronId, username } = query;
  const ofOrganization = (hour: string, shard: number) => bucketKey(organizationId, hour, shard);
  const isOfNeuron = (item: Item) => neuronId === undefined || isBucketOf(neuronId, item['pk']);
  if (username !== undefined) {
    return {
      index: INDEXES.logs.byUsername,
      partition: 'usernameHour',
      bucketOf: (hour, shard) => userBucketKey(organizationId, hour, shard, username),
      isMeant: isOfNeuron,
    };
  }
  if (asksForFailures(query)) {
    return {
      index: INDEXES.logs.byFailure,
      partition: 'failureHour',
      bucketOf: ofOrganization,
      isMeant: isOfNeuron,
    };
  }
  if (neuronId === undefined) {
    return {
      index: INDEXES.logs.byOrganization,
      partition: 'organizationHour',
      bucketOf: ofOrganization,
      isMeant: () => true,
    };
  }
  const bucketOf = (hour: string, shard: number) => bucketKey(neuronId, hour, shard);
  return { index: undefined, partition: 'pk', bucketOf, isMeant: () => true };
}

/** Where a bucket is, and the part of it that is asked for. */
interface Bucket {
  readonly path: LogPath;
  readonly hour: string;
  readonly shard: number;
  readonly query: LogQuery;
}

/** The first page is small, since most callers look at the newest entries only; each later one is larger. */
const FIRST_PAGE = 100;
const MAX_PAGE = 1_600;

/** What lists show; of the table itself it spares the transfer, though not the capacity, of texts. */
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
          ? { ProjectionExpression: PROJECTION, ExpressionAttributeNames: PROJECTED }
          : { IndexName: path.index }),
        KeyConditionExpression: `${path.partition} = :bucket AND sk BETWEEN :from AND :to`,
        ExpressionAttributeValues: {
          ':bucket': path.bucketOf(hour, shard),
          ':from': new Date(query.fromMs).toISOString(),
          // `to` is exclusive: the sort key of an entry at `to` goes on after the time.
          ':to': new Date(query.toMs).toISOString(),
        },
        ScanIndexForward: false,
        Limit: limit,
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const item of page.Items ?? []) if (path.isMeant(item)) yield item;
    start = page.LastEvaluatedKey;
    limit = Math.min(MAX_PAGE, limit * 4);
  } while (start !== undefined);
}
