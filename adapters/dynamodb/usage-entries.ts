// Reads the log entries themselves for a recount of usage: the organization's hours name the partitions, the table has the entries.

import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../core/contract/tables.ts';
import type { EntryReader, PlacedEntry, UsageQuery } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Item } from './client.ts';
import { toLogEntry } from './log-items.ts';
import { bucketKey, HOUR_MS, hourOf, isBucketOf } from './log-keys.ts';
import { daysBetween } from './usage-days.ts';
import { logShardOf } from './usage-items.ts';

/** Hours whose partitions are looked up side by side. */
const HOURS_AT_ONCE = 16;
/** Partitions whose first pages, a megabyte at most, are read side by side; most have no second one. */
const BUCKETS_AT_ONCE = 8;

/** Every field that is counted, by the compiler's word; of a partition it spares the transfer of texts. */
const COUNTED = Object.keys({
  ...{ executionId: true, timeMs: true, organizationId: true, neuron: true, neuronId: true, outcome: true },
  ...{ username: true, keyId: true, tokensInput: true, tokensOutput: true, costMicrodollars: true },
  ...{ savingsMicrodollars: true, modelCalls: true, latencyMs: true, count: true, expiresAt: true },
  // The partition, which tells the shard.
  pk: true,
} satisfies Record<Exclude<keyof PlacedEntry, 'logShard'> | 'pk', true>);
const PROJECTION = COUNTED.map((_, index) => `#a${index}`).join(', ');
const PROJECTED = Object.fromEntries(COUNTED.map((name, index) => [`#a${index}`, name]));

/** What the reader needs beside its table; `shards`: the most that an hour has had. */
interface EntryReaderSettings {
  readonly clock: Pick<Clock, 'now'>;
  readonly shards: number;
}

/** Reads every entry once: the index of the organization knows the neurons that have been deleted as well. */
export function createEntryReader(
  client: DynamoDBDocumentClient,
  table: string,
  { clock, shards }: EntryReaderSettings,
): EntryReader {
  const hasNotEnded = (item: Item) => Number(item['expiresAt']) * 1000 > clock.now();
  const findBucketsOf = async (query: UsageQuery, hour: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let shard = 0; shard < shards; shard += 1)
      found.push(...(await findBuckets(client, table, query, bucketKey(query.organizationId, hour, shard))));
    return found;
  };
  const pagesOf = (bucket: string) =>
    paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'pk = :bucket',
        ExpressionAttributeValues: { ':bucket': bucket },
        ProjectionExpression: PROJECTION,
        ExpressionAttributeNames: PROJECTED,
        ConsistentRead: true,
      },
    );
  return {
    async *entries(query) {
      const hours = hoursOf(query, clock.now());
      for (const some of inGroups(hours, HOURS_AT_ONCE)) {
        const buckets = await Promise.all(some.map((hour) => findBucketsOf(query, hour)));
        for (const group of inGroups(buckets.flat(), BUCKETS_AT_ONCE))
          for await (const { Items = [] } of readTogether(group.map(pagesOf)))
            yield* Items.filter(hasNotEnded).map(toPlacedEntry);
      }
    },
  };
}

function toPlacedEntry(item: Item): PlacedEntry {
  return { ...toLogEntry(item), logShard: logShardOf(item['pk']) };
}

function inGroups<Value>(values: readonly Value[], size: number): readonly (readonly Value[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

/** The first page of each at once, then the others of each: no more than that is in memory. */
async function* readTogether<Page>(readers: readonly AsyncGenerator<Page>[]): AsyncGenerator<Page> {
  const firsts = await Promise.all(readers.map((reader) => reader.next()));
  for (const [index, first] of firsts.entries()) {
    if (first.done) continue;
    yield first.value;
    const rest = readers[index];
    if (rest !== undefined) yield* rest;
  }
}

/** The partitions of the table that one hour of the organization is spread over. */
async function findBuckets(
  client: DynamoDBDocumentClient,
  table: string,
  { neuronId }: UsageQuery,
  ofOrganization: string,
): Promise<ReadonlySet<string>> {
  const buckets = new Set<string>();
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      IndexName: INDEXES.logs.byOrganization,
      KeyConditionExpression: 'organizationHour = :hour',
      ExpressionAttributeValues: { ':hour': ofOrganization },
      ProjectionExpression: 'pk',
    },
  );
  for await (const { Items = [] } of pages) for (const item of Items) buckets.add(String(item['pk']));
  return new Set([...buckets].filter((bucket) => neuronId === undefined || isBucketOf(neuronId, bucket)));
}

/** No hour after the present one: most of the current month may lie ahead. */
function hoursOf({ fromDay, toDay }: UsageQuery, nowMs: number): readonly string[] {
  return daysBetween(fromDay, toDay)
    .flatMap((day) => Array.from({ length: 24 }, (_, hour) => Date.parse(day) + hour * HOUR_MS))
    .filter((startMs) => startMs <= nowMs)
    .map(hourOf);
}
