// Splits a batch of entries into transactions: as few as possible, each within DynamoDB's limit of items.
import type { CountedEntry, UsageMark, UsageRow } from '../ports/usage.ts';
import { MAX_TRANSACTION_ITEMS } from '../ports/usage.ts';
import { usageOf } from './entry-usage.ts';
import { markOf } from './mark.ts';
import { rowKey } from './merge-rows.ts';

/** An entry as the log table's stream delivers it. */
export interface DeliveredEntry {
  /** The stream position to retry from when this entry could not be counted. */
  readonly sequenceNumber: string;
  /** Milliseconds since the Unix epoch at which the entry was put. */
  readonly putAtMs: number;
  readonly entry: CountedEntry;
}

/** A mark and the rows that are added with it, in one transaction. */
export interface UsagePart {
  readonly sequenceNumber: string;
  readonly mark: UsageMark;
  readonly rows: readonly UsageRow[];
}

/** An entry with more rows, because it called many models, is counted in several parts, each with its own mark. */
const MAX_ROWS_PER_PART = MAX_TRANSACTION_ITEMS / 2;

/**
 * The parts of each transaction, in the order of delivery. An entry that occurs twice counts once. An entry that had expired when it
 * was put, as a restored one may have, does not count: no reader can find it.
 */
export function planTransactions(delivered: readonly DeliveredEntry[]): readonly (readonly UsagePart[])[] {
  const transactions: UsagePart[][] = [];
  const marks = new Set<string>();
  let current: UsagePart[] = [];
  let rows = new Set<string>();
  for (const part of delivered.filter(isUnexpired).flatMap(partsOf)) {
    if (marks.has(part.mark.key)) continue;
    marks.add(part.mark.key);
    const keys = part.rows.map(rowKey);
    const together = new Set([...rows, ...keys]);
    const fits = current.length + 1 + together.size <= MAX_TRANSACTION_ITEMS;
    if (current.length === 0 || !fits) {
      current = [];
      transactions.push(current);
    }
    rows = fits ? together : new Set(keys);
    current.push(part);
  }
  return transactions;
}

function isUnexpired({ entry, putAtMs }: DeliveredEntry): boolean {
  return entry.expiresAt * 1000 > putAtMs;
}

function partsOf({ sequenceNumber, putAtMs, entry }: DeliveredEntry): readonly UsagePart[] {
  const rows = usageOf(entry);
  const { key, expiresAt } = markOf(entry, putAtMs);
  const parts = Array.from({ length: Math.ceil(rows.length / MAX_ROWS_PER_PART) }, (_, index) =>
    rows.slice(index * MAX_ROWS_PER_PART, (index + 1) * MAX_ROWS_PER_PART),
  );
  return parts.map((some, index) => ({
    sequenceNumber,
    mark: { key: index === 0 ? key : `${key}#${index + 1}`, expiresAt },
    rows: some,
  }));
}
