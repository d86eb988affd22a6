// The deduplication mark of a log entry: written with its usage, so that a second delivery is detected.

import { createHash } from 'node:crypto';
import { ITEM_MARK, type PlacedEntry, type UsageMark } from '../ports/usage.ts';
import { toIso } from '../time/iso.ts';

/**
 * DynamoDB keeps a stream record for 24 hours (amazondynamodb/latest/developerguide/Streams.html), so no delivery comes later. A mark
 * is kept for twice as long.
 */
const RETENTION_SECONDS = 2 * 24 * 60 * 60;

/**
 * Entries of one organization and shard share an item when they ended within the same slot of this length. A write pays for the whole
 * item: a longer slot costs more with many entries, a shorter one with few (docs/decisions/0022). 400 KB hold 24,000 marks: more than
 * API Gateway's 10,000 requests a second can make in a slot.
 */
export const SLOT_SECONDS = 2;

/** An id of an organization. An entry put by hand may have a text there that is longer than a key may be. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The length of a cut SHA-256 that distinguishes the entries of a slot. */
const ID_BYTES = 16;

export type MarkedEntry = Pick<
  PlacedEntry,
  'organizationId' | 'neuronId' | 'timeMs' | 'latencyMs' | 'executionId' | 'logShard'
>;

/** The key of the mark of an entry, or of its part with this number. Depends on the entry alone, not on its put or its delivery. */
export function markKeyOf(entry: MarkedEntry, part = 1): Pick<UsageMark, 'group' | 'id'> {
  const { neuronId, timeMs, executionId, logShard } = entry;
  const organizationId = ID.test(entry.organizationId) ? entry.organizationId : '';
  const key = `${neuronId}#${toIso(timeMs)}#${executionId}`;
  return {
    group: `ENTRIES#${organizationId}#${logShard}#${slotOf(entry)}`,
    id: idOf(part === 1 ? key : `${key}#${part}`),
  };
}

/** `nowMs`: the time of counting. A later mark keeps a shared item longer, never shorter. */
export function toMark(entry: MarkedEntry, part: number, putAtMs: number, nowMs: number): UsageMark {
  return { ...markKeyOf(entry, part), expiresAt: markExpiry(putAtMs, nowMs) };
}

/** The mark of an item that is only sealed. Such an item tells no time, so that it has a group of its own. */
export function toItemMark(key: string, putAtMs: number, nowMs: number): UsageMark {
  const digest = createHash('sha256').update(key).digest('base64url');
  return { group: `${ITEM_MARK}${digest}`, id: idOf(key), expiresAt: markExpiry(putAtMs, nowMs) };
}

/** The slot of the entry's end, in seconds since the Unix epoch. An entry put by hand may lack its latency. */
function slotOf({ timeMs, latencyMs }: MarkedEntry): number {
  const endMs = timeMs + (Number.isFinite(latencyMs) ? latencyMs : 0);
  return Math.floor(endMs / 1000 / SLOT_SECONDS) * SLOT_SECONDS;
}

function idOf(key: string): string {
  return createHash('sha256').update(key).digest().subarray(0, ID_BYTES).toString('base64url');
}

/** Two days after counting, or after the put where the clock is late. */
function markExpiry(putAtMs: number, nowMs: number): number {
  return Math.ceil(Math.max(putAtMs, nowMs) / 1000) + RETENTION_SECONDS;
}
