// Port to the log as it is stored, for exports and to verify it: every item of an organization, oldest first.
import type { StoredRecord } from './seals.ts';

/** What an item of the log is: the entry of a call, of a change by an operator before it was made, or of how that change ended. */
export type StoredType = 'call' | 'change' | 'outcome';

/** A place in the order of entries: by sort key, which begins with the time, then by partition. */
export interface StoredPosition {
  readonly sk: string;
  readonly pk: string;
}

/** An item of the log. */
export interface StoredEntry extends StoredPosition {
  readonly type: StoredType;
  /** Every attribute, as its digest is made of them. */
  readonly record: StoredRecord;
}

/** Whose entries, and from when to when (milliseconds since the Unix epoch, `fromMs` inclusive, `toMs` exclusive). */
export interface StoredQuery {
  readonly organizationId: string;
  /** Slug, by which changes are stored; undefined for the changes of the whole service alone. */
  readonly organization: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** Entries that had expired at this moment are left out. */
  readonly nowMs: number;
  /** Only what comes after this place. */
  readonly after?: StoredPosition | undefined;
}

/** Reads the log as it is stored. */
export interface StoredEntries {
  /** Oldest first, in the same order whenever it is read; in bounded memory. `onHour` gets the hour that has been read, such as `2026-11-21T04`. */
  list(query: StoredQuery, onHour?: (hour: string) => void): AsyncIterable<StoredEntry>;
  /** One item, whether it has expired or not; undefined where there is none. Strongly consistent. */
  find(position: StoredPosition): Promise<StoredRecord | undefined>;
}

/** Negative where `a` comes first. */
export function comparePositions(a: StoredPosition, b: StoredPosition): number {
  return compareText(a.sk, b.sk) || compareText(a.pk, b.pk);
}

/** By code units, as the `<` of texts. */
function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
