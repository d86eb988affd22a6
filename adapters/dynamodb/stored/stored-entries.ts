// Reads the log as it is stored, oldest first: the organization's index names the calls, the table holds them.
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { INDEXES } from '../../../core/contract/tables.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import {
  comparePositions,
  type StoredEntries,
  type StoredEntry,
  type StoredPosition,
  type StoredQuery,
} from '../../../core/ports/stored-entries.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { toIso } from '../../../core/time/iso.ts';
import { MAX_BATCH } from '../client.ts';
import { bucketKey, HOUR_MS, hourOf } from '../log-keys.ts';
import { mergeSorted, startList } from '../merge-sorted.ts';
import { readChangeItems } from './change-items.ts';
import { readRecord } from './every-name.ts';
import { getRecords } from './get-records.ts';
import { queryItems } from './query-items.ts';

/** Queries at a time; most hours of a long period are empty. */
const MAX_QUERIES = 16;
const BATCHES_AHEAD = 3;

/** `shards`: the most that an hour has had. */
interface StoredSettings {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly shards: number;
}

/** Reads every item once, without items so new, seconds at most, that the index does not show them yet. */
export function createStoredEntries(
  client: DynamoDBDocumentClient,
  table: string,
  { clock, shards }: StoredSettings,
): StoredEntries {
  const readKeys = (query: StoredQuery, hour: string, shard: number) =>
    listKeys(client, table, query, bucketKey(query.organizationId, hour, shard));
  async function* keysOf(query: StoredQuery, onHour?: (hour: string) => void) {
    const hours = hoursOf(query);
    const atOnce = Math.max(1, Math.floor(MAX_QUERIES / shards));
    for (let read = 0; read < hours.length; read += atOnce) {
      const started = hours.slice(read, read + atOnce).map((hour) => ({
        hour,
        lists: Array.from({ length: shards }, (_, shard) => startList(readKeys(query, hour, shard))),
      }));
      for (const { hour, lists } of started) {
        yield* mergeSorted(lists, isBefore);
        onHour?.(hour);
      }
    }
  }
  const getBatch = (keys: readonly StoredPosition[]) => getCalls(client, table, keys, clock);
  return {
    async *list(query, onHour) {
      if (query.fromMs >= query.toMs) return;
      const keys = query.organization === undefined ? noKeys() : keysOf(query, onHour);
      const calls = readAhead(inBatches(keys), getBatch);
      const changes = readChangeItems(client, table, query);
      const isLater = ({ after }: StoredQuery, entry: StoredEntry) =>
        after === undefined || comparePositions(entry, after) > 0;
      for await (const entry of mergeSorted([startList(calls), startList(changes)], isBefore)) {
        if (isLater(query, entry) && !hasExpired(entry, query.nowMs)) yield entry;
      }
    },
    async find({ pk, sk }) {
      const { Item: item } = await client.send(
        new GetItemCommand({ TableName: table, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true }),
      );
      return item === undefined ? undefined : readRecord(item);
    },
  };
}

/** False for an item without an end of retention, which somebody put by hand: it is shown rather than hidden. */
function hasExpired({ record }: StoredEntry, nowMs: number): boolean {
  const { expiresAt } = record;
  return typeof expiresAt === 'number' && expiresAt * 1000 <= nowMs;
}

/** The service has changes and no calls. */
async function* noKeys(): AsyncGenerator<StoredPosition> {}

function isBefore(a: StoredPosition, b: StoredPosition): boolean {
  return comparePositions(a, b) < 0;
}

/** The keys of one bucket of the organization. */
async function* listKeys(
  client: DynamoDBDocumentClient,
  table: string,
  { fromMs, toMs, after }: StoredQuery,
  bucket: string,
): AsyncGenerator<StoredPosition> {
  const from = toIso(fromMs);
  const keys = queryItems(client, {
    TableName: table,
    Limit: 1_000,
    IndexName: INDEXES.logs.byOrganization,
    KeyConditionExpression: 'organizationHour = :bucket AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':bucket': bucket,
      ':from': after !== undefined && after.sk > from ? after.sk : from,
      // Excludes an entry at `to`: its sort key goes on after the time.
      ':to': toIso(toMs),
    },
    ProjectionExpression: 'pk, sk',
  });
  for await (const { pk, sk } of keys) yield { pk: String(pk), sk: String(sk) };
}

async function* inBatches(keys: AsyncIterable<StoredPosition>): AsyncGenerator<readonly StoredPosition[]> {
  let batch: StoredPosition[] = [];
  for await (const key of keys) {
    batch.push(key);
    if (batch.length < MAX_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Gets a few batches at a time, and yields their entries in order. */
async function* readAhead(
  batches: AsyncGenerator<readonly StoredPosition[]>,
  get: (keys: readonly StoredPosition[]) => Promise<readonly StoredEntry[]>,
): AsyncGenerator<StoredEntry> {
  const ahead: Promise<readonly StoredEntry[]>[] = [];
  for await (const batch of batches) {
    const started = get(batch);
    // A failure is thrown where the batch is awaited; nobody awaits it if the reader stops before.
    started.catch(() => undefined);
    ahead.push(started);
    if (ahead.length > BATCHES_AHEAD) yield* (await ahead.shift()) ?? [];
  }
  for (const batch of ahead) yield* await batch;
}

async function getCalls(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly StoredPosition[],
  clock: Pick<Clock, 'sleep'>,
): Promise<readonly StoredEntry[]> {
  const records = await getRecords(client, table, keys, clock);
  return records.map(toCall).sort(comparePositions);
}

function toCall(record: StoredRecord): StoredEntry {
  return { type: 'call', pk: String(record['pk']), sk: String(record['sk']), record };
}

function hoursOf({ fromMs, toMs, after }: StoredQuery): readonly string[] {
  const afterMs = after === undefined ? fromMs : Date.parse(after.sk.slice(0, after.sk.indexOf('#')));
  const first = Math.floor(Math.max(fromMs, afterMs) / HOUR_MS);
  const last = Math.floor((toMs - 1) / HOUR_MS);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => hourOf((first + at) * HOUR_MS));
}
