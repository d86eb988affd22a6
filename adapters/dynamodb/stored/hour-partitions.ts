// Reads hours of an organization from the log table itself: its index names the partitions, the table has the entries.
import {
  type DynamoDBDocumentClient,
  paginateQuery,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../../core/contract/tables.ts';
import { chunksOf } from '../client.ts';
import { bucketKey, isBucketOf } from '../log-keys.ts';
import { queryItems } from './query-items.ts';

/** Partitions whose first pages, a megabyte at most, are read at a time; most have no second one. */
const BUCKETS_AT_ONCE = 8;

interface Owner {
  readonly organizationId: string;
  readonly neuronId?: string | undefined;
}

interface HourReader {
  /** Pages of all partitions of these hours; hours without an entry cost one query of the index each. */
  pages(owner: Owner, hours: readonly string[]): AsyncGenerator<QueryCommandOutput>;
}

/** `selection`: the projection, and a filter. `shards`: the most that an hour has had. */
export function createHourReader(
  client: DynamoDBDocumentClient,
  table: string,
  { shards, selection }: { readonly shards: number; readonly selection: Partial<QueryCommandInput> },
): HourReader {
  const findBucketsOf = async (owner: Owner, hour: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let shard = 0; shard < shards; shard += 1)
      found.push(...(await findBuckets(client, table, owner, bucketKey(owner.organizationId, hour, shard))));
    return found;
  };
  const pagesOf = (bucket: string) =>
    paginateQuery(
      { client },
      {
        ...selection,
        TableName: table,
        KeyConditionExpression: 'pk = :bucket',
        ExpressionAttributeValues: { ...selection.ExpressionAttributeValues, ':bucket': bucket },
        ConsistentRead: true,
      },
    );
  return {
    async *pages(owner, hours) {
      const buckets = await Promise.all(hours.map((hour) => findBucketsOf(owner, hour)));
      for (const chunk of chunksOf(buckets.flat(), BUCKETS_AT_ONCE)) yield* readTogether(chunk.map(pagesOf));
    },
  };
}

/** Reads all first pages at a time, then the others one by one, so that few are in memory. */
async function* readTogether<Page>(readers: readonly AsyncGenerator<Page>[]): AsyncGenerator<Page> {
  const firsts = await Promise.all(readers.map((reader) => reader.next()));
  for (const [index, first] of firsts.entries()) {
    if (first.done) continue;
    yield first.value;
    const rest = readers[index];
    if (rest !== undefined) yield* rest;
  }
}

/** The partitions of the table that hold one hour of the organization. */
async function findBuckets(
  client: DynamoDBDocumentClient,
  table: string,
  { neuronId }: Owner,
  ofOrganization: string,
): Promise<ReadonlySet<string>> {
  const buckets = new Set<string>();
  const query = {
    TableName: table,
    IndexName: INDEXES.logs.byOrganization,
    KeyConditionExpression: 'organizationHour = :hour',
    ExpressionAttributeValues: { ':hour': ofOrganization },
    ProjectionExpression: 'pk',
  };
  for await (const item of queryItems(client, query)) buckets.add(String(item['pk']));
  return new Set([...buckets].filter((bucket) => neuronId === undefined || isBucketOf(neuronId, bucket)));
}
