// Cuts a batch of entries into additions: as few as possible, each small enough to be written whole or not at all.
import type { CountedEntry, UsageMark, UsageRow } from '../ports/usage.ts';
import { LARGEST_ADDITION } from '../ports/usage.ts';
import { usageOf } from './entry-usage.ts';
import { markOf } from './mark.ts';
import { rowKey } from './merge-rows.ts';

/** An entry as the stream of the log table hands it over. */
export interface DeliveredEntry {
  /** Where the stream begins again when this entry could not be counted. */
  readonly sequenceNumber: string;
  /** Milliseconds since the Unix epoch at which the entry was put. */
  readonly putAtMs: number;
  readonly entry: CountedEntry;
}

/** What is counted at once: a mark with the rows that belong to it. */
export interface UsagePart {
  readonly sequenceNumber: string;
  readonly mark: UsageMark;
  readonly rows: readonly UsageRow[];
}

/** Rows of one part: an entry with more, which takes as many models, is counted in several parts, each with a mark of its own. */
const MOST_ROWS = LARGEST_ADDITION / 2;

/**
 * The parts of each addition, in the order of delivery. Entries delivered twice count once; an entry that had ended when it was
 * put, as a restored one may, does not count: nobody can find it, and its mark may have ended with it.
 */
export function planAdditions(delivered: readonly DeliveredEntry[]): readonly (readonly UsagePart[])[] {
  const additions: UsagePart[][] = [];
  const marks = new Set<string>();
  let current: UsagePart[] = [];
  let rows = new Set<string>();
  for (const part of delivered.filter(hasNotEnded).flatMap(partsOf)) {
    if (marks.has(part.mark.key)) continue;
    marks.add(part.mark.key);
    const keys = part.rows.map(rowKey);
    const together = new Set([...rows, ...keys]);
    const fits = current.length + 1 + together.size <= LARGEST_ADDITION;
    if (current.length === 0 || !fits) {
      current = [];
      additions.push(current);
    }
    rows = fits ? together : new Set(keys);
    current.push(part);
  }
  return additions;
}

function hasNotEnded({ entry, putAtMs }: DeliveredEntry): boolean {
  return entry.expiresAt * 1000 > putAtMs;
}

function partsOf({ sequenceNumber, putAtMs, entry }: DeliveredEntry): readonly UsagePart[] {
  const rows = usageOf(entry);
  const { key, expiresAt } = markOf(entry, putAtMs);
  const parts = Array.from({ length: Math.ceil(rows.length / MOST_ROWS) }, (_, index) =>
    rows.slice(index * MOST_ROWS, (index + 1) * MOST_ROWS),
  );
  return parts.map((some, index) => ({
    sequenceNumber,
    mark: { key: index === 0 ? key : `${key}#${index + 1}`, expiresAt },
    rows: some,
  }));
}
