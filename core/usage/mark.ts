// The deduplication mark of a log entry: written with its usage, so that a second delivery is detected.
import { createHash } from 'node:crypto';
import { type CountedEntry, ITEM_MARK, type UsageMark } from '../ports/usage.ts';

/**
 * DynamoDB keeps a stream record for 24 hours (amazondynamodb/latest/developerguide/Streams.html), so no delivery comes later. The mark
 * is kept for twice as long.
 */
const RETENTION_SECONDS = 2 * 24 * 60 * 60;

/** Unique to an entry and independent of where it is stored. */
export function markKeyOf(entry: Pick<CountedEntry, 'neuronId' | 'timeMs' | 'executionId'>): string {
  return `${entry.neuronId}#${new Date(entry.timeMs).toISOString()}#${entry.executionId}`;
}

/** `putAtMs` is the stream's time of the write, so that every delivery gives the same mark. */
export function markOf(
  entry: Pick<CountedEntry, 'neuronId' | 'timeMs' | 'executionId'>,
  putAtMs: number,
): UsageMark {
  return { key: markKeyOf(entry), expiresAt: endOf(putAtMs) };
}

/** The mark of an item that is only sealed. Its key is hashed: whoever puts an item by hand may have made it as long as a key may be. */
export function markOfItem(key: string, putAtMs: number): UsageMark {
  const digest = createHash('sha256').update(key).digest('base64url');
  return { key: `${ITEM_MARK}${digest}`, expiresAt: endOf(putAtMs) };
}

function endOf(putAtMs: number): number {
  return Math.floor(putAtMs / 1000) + RETENTION_SECONDS;
}
