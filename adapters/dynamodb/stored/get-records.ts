// Gets many items of the log by their keys, up to a hundred in one request.
import { type AttributeValue, BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mapAtOnce } from '../../../core/async/at-once.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import type { StoredPosition } from '../../../core/ports/stored-entries.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { chunksOf, MAX_BATCH } from '../client.ts';
import { readRecord } from './every-name.ts';

/** Exponential backoff for keys that a throttled table leaves out. */
const BACKOFF_BASE_MS = 50;
const MAX_RETRIES = 8;
const BATCHES_AT_ONCE = 4;

/**
 * Those of at most 100 different keys that are there, in any order. Strongly consistent: a replica that lags behind would leave out entries
 * silently.
 */
export async function getRecords(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly StoredPosition[],
  clock: Pick<Clock, 'sleep'>,
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  let left: Record<string, AttributeValue>[] = keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
  for (let retries = 0; left.length > 0; retries += 1) {
    if (retries > MAX_RETRIES) throw new Error('the log table left out items of a batch for too long');
    if (retries > 0) await clock.sleep(BACKOFF_BASE_MS * 2 ** retries);
    const { Responses: responses, UnprocessedKeys: unprocessed } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
    );
    // From the plain client's items: the document client's numbers lose digits.
    found.push(...(responses?.[table] ?? []).map(readRecord));
    left = unprocessed?.[table]?.Keys ?? [];
  }
  return found;
}

/** The item at each position, in their order, expired or not; undefined for one that is gone. Positions may repeat. */
export async function findRecords(
  client: DynamoDBDocumentClient,
  table: string,
  positions: readonly StoredPosition[],
  clock: Pick<Clock, 'sleep'>,
): Promise<readonly (StoredRecord | undefined)[]> {
  const different = new Map(positions.map((position) => [keyOf(position), position]));
  const batches = await mapAtOnce(chunksOf([...different.values()], MAX_BATCH), BATCHES_AT_ONCE, (keys) =>
    getRecords(client, table, keys, clock),
  );
  const found = new Map(batches.flat().map((record) => [keyOf(record), record]));
  return positions.map((position) => found.get(keyOf(position)));
}

function keyOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return JSON.stringify([pk, sk]);
}
