// Splits a batch of entries into few transactions, each within DynamoDB's limit of items.

import type { EntryToSeal } from '../ports/seals.ts';
import {
  ITEMS_PER_SEAL,
  MAX_GROUP_MARKS,
  MAX_TRANSACTION_ITEMS,
  type PlacedEntry,
  type UsageMark,
  type UsageRow,
} from '../ports/usage.ts';
import { utf8Bytes } from '../text/utf8.ts';
import { organizationRows, usageOf } from './entry-usage.ts';
import { toItemMark, toMark } from './mark.ts';
import { rowKey } from './merge-rows.ts';
import { slotRows } from './slot-row.ts';

/** An item as the log table's stream delivers it. */
export interface DeliveredEntry {
  /** The stream position to retry from when this entry cannot be counted. */
  readonly sequenceNumber: string;
  /** Milliseconds since the Unix epoch at which the entry was put. */
  readonly putAtMs: number;
  /** The key of the item as text; unique to it. */
  readonly key: string;
  /** Undefined for an item without usage, such as a change by an operator. */
  readonly entry: PlacedEntry | undefined;
  readonly toSeal: EntryToSeal;
}

/** A mark with the rows to add and the entry to seal in the same transaction. */
export interface UsagePart {
  readonly sequenceNumber: string;
  readonly mark: UsageMark;
  readonly rows: readonly UsageRow[];
  /** Only in the first part of an entry. */
  readonly toSeal: EntryToSeal | undefined;
}

/** An entry with more rows, for many models, is counted in several parts, each with an id of its own. */
const MAX_ROWS_PER_PART = MAX_TRANSACTION_ITEMS / 2;

/** Bytes of the lines in one transaction's seals: a seal must fit into an item of 400 KB, whatever the keys of its entries are. */
const MAX_LINES_BYTES = 100_000;

interface TransactionContents {
  readonly parts: UsagePart[];
  /** The number of marks by group. */
  readonly groups: ReadonlyMap<string, number>;
  readonly rows: ReadonlySet<string>;
  readonly chains: ReadonlySet<string>;
  readonly linesBytes: number;
}

/**
 * The parts of each transaction, in the order of delivery. An entry that occurs twice counts once. An entry that had expired before it
 * was put, such as a restored one, is sealed but not counted: no reader can find it. `nowMs`: the time of counting.
 */
export function planTransactions(
  delivered: readonly DeliveredEntry[],
  nowMs: number,
): readonly (readonly UsagePart[])[] {
  const transactions: TransactionContents[] = [];
  const marks = new Set<string>();
  for (const part of delivered.flatMap((one) => partsOf(one, nowMs))) {
    const mark = nameOfMark(part.mark);
    if (marks.has(mark)) continue;
    marks.add(mark);
    const current = transactions.at(-1);
    const together = current === undefined ? undefined : include(part, current);
    if (together !== undefined && fits(together)) transactions[transactions.length - 1] = together;
    else transactions.push(include(part, EMPTY));
  }
  return transactions.map(({ parts }) => parts);
}

/** Equal for the same mark, and for no others. */
export function nameOfMark({ group, id }: UsageMark): string {
  return JSON.stringify([group, id]);
}

const EMPTY: TransactionContents = {
  parts: [],
  groups: new Map(),
  rows: new Set(),
  chains: new Set(),
  linesBytes: 0,
};

function include(
  part: UsagePart,
  { parts, groups, rows, chains, linesBytes }: TransactionContents,
): TransactionContents {
  const { toSeal, mark } = part;
  return {
    parts: [...parts, part],
    groups: new Map([...groups, [mark.group, (groups.get(mark.group) ?? 0) + 1]]),
    rows: new Set([...rows, ...part.rows.map(rowKey)]),
    chains: toSeal === undefined ? chains : new Set([...chains, toSeal.chain]),
    linesBytes: linesBytes + (toSeal === undefined ? 0 : utf8Bytes(toSeal.line)),
  };
}

function fits({ groups, rows, chains, linesBytes }: TransactionContents): boolean {
  const items = groups.size + rows.size + chains.size * ITEMS_PER_SEAL;
  const mostMarks = Math.max(...groups.values());
  return items <= MAX_TRANSACTION_ITEMS && mostMarks <= MAX_GROUP_MARKS && linesBytes <= MAX_LINES_BYTES;
}

function partsOf(
  { sequenceNumber, putAtMs, key, entry, toSeal }: DeliveredEntry,
  nowMs: number,
): readonly UsagePart[] {
  if (entry === undefined)
    return [{ sequenceNumber, mark: toItemMark(key, putAtMs, nowMs), rows: [], toSeal }];
  const isExpired = entry.expiresAt * 1000 <= putAtMs;
  const rows = isExpired ? [] : [...usageOf(entry), ...organizationRows(entry), ...slotRows(entry, nowMs)];
  const count = Math.max(1, Math.ceil(rows.length / MAX_ROWS_PER_PART));
  return Array.from({ length: count }, (_, index) => ({
    sequenceNumber,
    mark: toMark(entry, index + 1, putAtMs, nowMs),
    rows: rows.slice(index * MAX_ROWS_PER_PART, (index + 1) * MAX_ROWS_PER_PART),
    toSeal: index === 0 ? toSeal : undefined,
  }));
}
