// Queries the log table for operators, newest first, hour by hour.

import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { TEXTLESS_ATTRIBUTES } from '../../core/contract/log-attributes.ts';
import { INDEXES } from '../../core/contract/tables.ts';
import { type LogQuery, type LogReader, passesFilters } from '../../core/ports/log-reader.ts';
import type { Clock } from '../../core/time/clock.ts';
import type { Item } from './client.ts';
import { choosePath, readBucket } from './log-buckets.ts';
import { toListedEntry, toReadableEntry } from './log-items.ts';
import { HOUR_MS, hourOf } from './log-keys.ts';
import { mergeNewest, startList } from './merge-sorted.ts';

/** Queries at a time while hours are empty; the first query reads only the newest hour. */
const MAX_QUERIES = 32;
interface LogReaderSettings {
  readonly clock: Clock;
  /** How many shards an hour has had at most since the oldest entry was put. */
  readonly shards: number;
}

/** Every read is a Query. Leaves out expired entries, which DynamoDB deletes late. */
export function createLogReader(
  client: DynamoDBDocumentClient,
  table: string,
  { clock, shards }: LogReaderSettings,
): LogReader {
  const isExpired = (item: Item) => Number(item['expiresAt']) * 1000 <= clock.now();
  const startHour = (query: LogQuery, hour: string) => {
    const path = choosePath(query);
    return Array.from({ length: shards }, (_, shard) =>
      startList(readBucket(client, table, { path, hour, shard, query })),
    );
  };
  return {
    async *list(query, onProgress) {
      const hours = hoursDownwards(query.fromMs, query.toMs);
      const maxHours = Math.max(1, Math.floor(MAX_QUERIES / shards));
      let hoursAtOnce = 1;
      for (let read = 0; read < hours.length; ) {
        const started = hours.slice(read, read + hoursAtOnce).map((hour) => startHour(query, hour));
        let isEmpty = true;
        for (const lists of started) {
          for await (const item of mergeNewest(lists, (one) => String(one['sk']))) {
            isEmpty = false;
            if (isExpired(item)) continue;
            const entry = toListedEntry(item);
            if (passesFilters(query, entry)) yield entry;
          }
          read += 1;
          onProgress?.({ hoursRead: read, hoursInAll: hours.length });
        }
        // Reads ahead only while hours are empty: a caller that gets entries may stop at any moment.
        hoursAtOnce = isEmpty ? Math.min(maxHours, hoursAtOnce * 2) : 1;
      }
    },
    find: (executionId) => find(client, table, executionId, isExpired),
  };
}

async function find(
  client: DynamoDBDocumentClient,
  table: string,
  executionId: string,
  isExpired: (item: Item) => boolean,
) {
  const found = await client.send(
    new QueryCommand({
      TableName: table,
      IndexName: INDEXES.logs.byExecution,
      KeyConditionExpression: 'executionId = :id',
      ExpressionAttributeValues: { ':id': executionId },
      Limit: 1,
    }),
  );
  const key = found.Items?.[0];
  if (key === undefined) return undefined;
  const { item, textsWithheld } = await getItem(client, table, { pk: key['pk'], sk: key['sk'] });
  if (item === undefined || isExpired(item)) return undefined;
  return { ...toReadableEntry(item), ...(textsWithheld ? { textsWithheld } : {}) };
}

/** The whole item, or what rights without texts reach of it. */
async function getItem(
  client: DynamoDBDocumentClient,
  table: string,
  key: Readonly<Record<'pk' | 'sk', unknown>>,
) {
  try {
    const { Item: item } = await client.send(
      new GetCommand({ TableName: table, Key: key, ConsistentRead: true }),
    );
    return { item, textsWithheld: false as const };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AccessDeniedException') throw error;
    return { item: await queryTextless(client, table, key), textsWithheld: true as const };
  }
}

/** A Query, whose `Select` IAM can demand; that of a GetItem it cannot. */
async function queryTextless(
  client: DynamoDBDocumentClient,
  table: string,
  { pk, sk }: Readonly<Record<'pk' | 'sk', unknown>>,
): Promise<Item | undefined> {
  const { Items } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: TEXTLESS_ATTRIBUTES.map((_, index) => `#a${index}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(
        TEXTLESS_ATTRIBUTES.map((name, index) => [`#a${index}`, name]),
      ),
      ConsistentRead: true,
    }),
  );
  return Items?.[0];
}

function hoursDownwards(fromMs: number, toMs: number): readonly string[] {
  // DynamoDB rejects a range that ends before it begins.
  if (fromMs >= toMs) return [];
  const first = Math.floor(fromMs / HOUR_MS);
  const last = Math.floor((toMs - 1) / HOUR_MS);
  return Array.from({ length: last - first + 1 }, (_, back) => hourOf((last - back) * HOUR_MS));
}
