// Reads the log entries themselves for a recount of usage: the organization's hours name the partitions, the table has the entries.
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { CountedEntry, EntryReader, UsageQuery } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Item } from './client.ts';
import { toLogEntry } from './log-items.ts';
import { bucketKey, HOUR_MS, hourOf, isBucketOf } from './log-keys.ts';
import { daysBetween } from './usage-days.ts';

/** Hours that are read side by side. */
const HOURS_AT_ONCE = 16;

/** Every field that is counted, by the compiler's word; of a partition it spares the transfer of texts. */
const COUNTED = Object.keys({
  ...{ executionId: true, timeMs: true, organizationId: true, neuron: true, neuronId: true, outcome: true },
  ...{ username: true, keyId: true, tokensInput: true, tokensOutput: true, costMicrodollars: true },
  ...{ savingsMicrodollars: true, modelCalls: true, count: true, expiresAt: true },
} satisfies Record<keyof CountedEntry, true>);
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
  const readHour = async (query: UsageQuery, hour: string): Promise<CountedEntry[]> => {
    const found: CountedEntry[] = [];
    for (let shard = 0; shard < shards; shard += 1) {
      for (const bucket of await findBuckets(
        client,
        table,
        query,
        bucketKey(query.organizationId, hour, shard),
      )) {
        const items = await queryAll(client, {
          TableName: table,
          KeyConditionExpression: 'pk = :bucket',
          ExpressionAttributeValues: { ':bucket': bucket },
          ProjectionExpression: PROJECTION,
          ExpressionAttributeNames: PROJECTED,
          ConsistentRead: true,
        });
        found.push(...items.filter(hasNotEnded).map(toLogEntry));
      }
    }
    return found;
  };
  return {
    async *entries(query) {
      const hours = hoursOf(query, clock.now());
      for (let read = 0; read < hours.length; read += HOURS_AT_ONCE) {
        const some = hours.slice(read, read + HOURS_AT_ONCE);
        for (const entries of await Promise.all(some.map((hour) => readHour(query, hour)))) yield* entries;
      }
    },
  };
}

/** The partitions of the table that one hour of the organization is spread over. */
async function findBuckets(
  client: DynamoDBDocumentClient,
  table: string,
  { neuronId }: UsageQuery,
  ofOrganization: string,
): Promise<ReadonlySet<string>> {
  const items = await queryAll(client, {
    TableName: table,
    IndexName: 'byOrganization',
    KeyConditionExpression: 'organizationHour = :hour',
    ExpressionAttributeValues: { ':hour': ofOrganization },
    ProjectionExpression: 'pk',
  });
  const buckets = new Set(items.map((item) => String(item['pk'])));
  return new Set([...buckets].filter((bucket) => neuronId === undefined || isBucketOf(neuronId, bucket)));
}

async function queryAll(
  client: DynamoDBDocumentClient,
  query: Parameters<typeof paginateQuery>[1],
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of paginateQuery({ client }, query)) items.push(...(page.Items ?? []));
  return items;
}

/** No hour after the present one: most of the current month may lie ahead. */
function hoursOf({ fromDay, toDay }: UsageQuery, nowMs: number): readonly string[] {
  return daysBetween(fromDay, toDay)
    .flatMap((day) => Array.from({ length: 24 }, (_, hour) => Date.parse(day) + hour * HOUR_MS))
    .filter((startMs) => startMs <= nowMs)
    .map(hourOf);
}
