// Names the attributes of an entry that differ from what was sealed, as far as the hints of its seal tell.
import { digestRecord, HINT_LENGTH, namesOf } from '../../logs/seals/entry-digest.ts';
import type { StoredRecord } from '../../ports/seals.ts';

/** Pairs of attributes that are compared at most: an item put by hand may have 100,000 of them. */
const MAX_COMPARED = 1_000_000;

/** The attributes that differ from the sealed record. Removed ones are only counted, since hints hold no names. */
export interface FieldDifferences {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: number;
}

/**
 * Compares a changed record with the hints of the sealed one. Undefined where hints cannot tell: without a salt, with another one, or
 * when 12 bits of a changed attribute happen to be equal.
 */
export function findDifferences(record: StoredRecord, hints: string): FieldDifferences | undefined {
  const names = namesOf(record);
  const sealed = splitHints(hints);
  if (sealed.length === 0 || sealed.length * names.length > MAX_COMPARED) return undefined;
  const current = splitHints(digestRecord(record).hints);
  const kept = longestCommon(current, sealed);
  // With another salt every hint differs, whatever the attributes are.
  if (kept.length === 0) return undefined;
  const differences = collectGaps(names, kept, sealed.length);
  const { changed, added, removed } = differences;
  return changed.length + added.length + removed === 0 ? undefined : differences;
}

function splitHints(hints: string): readonly string[] {
  return hints.match(new RegExp(`.{${HINT_LENGTH}}`, 'g')) ?? [];
}

/** Pairs of indexes with equal hints: a longest common subsequence, so that one attribute more or less shifts nothing. */
function longestCommon(current: readonly string[], sealed: readonly string[]): readonly [number, number][] {
  const lengths = Array.from({ length: current.length + 1 }, () =>
    new Array<number>(sealed.length + 1).fill(0),
  );
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = current.length - 1; row >= 0; row -= 1)
    for (let column = sealed.length - 1; column >= 0; column -= 1) {
      const line = lengths[row];
      if (line === undefined) continue;
      line[column] =
        current[row] === sealed[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < current.length && column < sealed.length; ) {
    if (current[row] === sealed[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Between two unchanged attributes: equally many present and sealed ones were changed; otherwise some were added or removed. */
function collectGaps(
  names: readonly string[],
  kept: readonly [number, number][],
  sealedCount: number,
): FieldDifferences {
  const changed: string[] = [];
  const added: string[] = [];
  let removed = 0;
  let [row, column] = [0, 0];
  for (const [keptRow, keptColumn] of [...kept, [names.length, sealedCount] as const]) {
    const present = names.slice(row, keptRow);
    const gone = keptColumn - column;
    const isChange = present.length === gone;
    // One by one: an item may have a hundred thousand attributes, more than a call takes arguments.
    for (const name of present) (isChange ? changed : added).push(name);
    if (!isChange) removed += gone;
    [row, column] = [keptRow + 1, keptColumn + 1];
  }
  return { changed, added, removed };
}
