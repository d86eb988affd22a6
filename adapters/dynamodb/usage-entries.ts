// Reads log entries for a recount of usage: the organization's index names the partitions, the table has the entries.
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../core/contract/tables.ts';
import { isCountable } from '../../core/ports/countable-entry.ts';
import type { EntryReader, PlacedEntry, UsageQuery } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import { chunksOf, type Item } from './client.ts';
import { toLogEntry } from './log-items.ts';
import { bucketKey, HOUR_MS, hourOf, isBucketOf } from './log-keys.ts';
import { queryItems } from './stored/query-items.ts';
import { daysBetween, logShardOf } from './usage-items.ts';

const HOURS_AT_ONCE = 16;
/** Partitions whose first pages, a megabyte at most, are read at a time; most have no second one. */
const BUCKETS_AT_ONCE = 8;

/** Members that are counted, every one of them (the compiler checks it); projecting them saves the transfer of texts. */
const COUNTED = Object.keys({
  executionId: true,
  timeMs: true,
  organizationId: true,
  neuron: true,
  neuronId: true,
  outcome: true,
  username: true,
  keyId: true,
  tags: true,
  tokensInput: true,
  tokensOutput: true,
  costMicrodollars: true,
  savingsMicrodollars: true,
  infrastructureNanodollars: true,
  modelCalls: true,
  latencyMs: true,
  count: true,
  expiresAt: true,
  // The partition names the shard.
  pk: true,
} satisfies Record<Exclude<keyof PlacedEntry, 'logShard'> | 'pk', true>);
const PROJECTION = COUNTED.map((_, index) => `#a${index}`).join(', ');
const PROJECTED = Object.fromEntries(COUNTED.map((name, index) => [`#a${index}`, name]));

/** `shards`: the most that an hour has had. */
interface EntryReaderSettings {
  readonly clock: Pick<Clock, 'now'>;
  readonly shards: number;
}

/** Reads every entry that was counted once, those of deleted neurons included, which the organization's index still names. */
export function createEntryReader(
  client: DynamoDBDocumentClient,
  table: string,
  { clock, shards }: EntryReaderSettings,
): EntryReader {
  const isCurrent = (item: Item) => Number(item['expiresAt']) * 1000 > clock.now();
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
      for (const hours of chunksOf(listHours(query, clock.now()), HOURS_AT_ONCE)) {
        const buckets = await Promise.all(hours.map((hour) => findBucketsOf(query, hour)));
        for (const chunk of chunksOf(buckets.flat(), BUCKETS_AT_ONCE))
          for await (const { Items = [] } of readTogether(chunk.map(pagesOf)))
            yield* Items.filter(isCurrent)
              .map((item) => ({ ...toLogEntry(item), logShard: logShardOf(item['pk']) }))
              .filter(isCountable);
      }
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
  { neuronId }: UsageQuery,
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

/** Up to the current hour: most of a month may lie ahead. */
function listHours({ fromDay, toDay }: UsageQuery, nowMs: number): readonly string[] {
  return daysBetween(fromDay, toDay)
    .flatMap((day) => Array.from({ length: 24 }, (_, hour) => Date.parse(day) + hour * HOUR_MS))
    .filter((startMs) => startMs <= nowMs)
    .map(hourOf);
}
