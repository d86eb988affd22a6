// Port to the log as it is stored, for exports and to verify it: every item of an organization, oldest first.
import type { StoredRecord } from './seals.ts';

/** The type of an item of the log: a call, a change by an operator before it was made, or the outcome of a change. */
export type StoredType = 'call' | 'change' | 'outcome';

/** A position in the order of entries: by sort key, which begins with the time, then by partition. */
export interface StoredPosition {
  readonly sk: string;
  readonly pk: string;
}

export interface StoredEntry extends StoredPosition {
  readonly type: StoredType;
  /** Every attribute: the digest covers all. */
  readonly record: StoredRecord;
}

/** Owner and period (milliseconds since the Unix epoch, `fromMs` inclusive, `toMs` exclusive) of a query. */
export interface StoredQuery {
  readonly organizationId: string;
  /** Slug, by which changes are stored; undefined for changes of the whole service only. */
  readonly organization: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** Entries that have expired by this moment are left out. */
  readonly nowMs: number;
  /** True to read changes of the slug's other organizations as well, as lists of changes show them. */
  readonly foreign?: boolean;
  readonly after?: StoredPosition | undefined;
}

export interface StoredEntries {
  /** Oldest first, in bounded memory. `onHour` gets the hour that has been read, such as `2026-11-21T04`. */
  list(query: StoredQuery, onHour?: (hour: string) => void): AsyncIterable<StoredEntry>;
  /** One item, expired or not. Strongly consistent. */
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
