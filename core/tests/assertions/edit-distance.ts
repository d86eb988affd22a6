// Levenshtein's distance, as far as it matters.

/**
 * Insertions, deletions and substitutions of UTF-16 code units; `limit + 1` for every distance above the limit. Takes time in proportion to
 * the length times the limit.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let above = Array.from({ length: other.length + 1 }, (_, column) => Math.min(column, limit + 1));
  for (let row = 1; row <= one.length; row += 1) {
    const current: number[] = new Array<number>(other.length + 1).fill(limit + 1);
    const first = Math.max(0, row - limit);
    const last = Math.min(other.length, row + limit);
    for (let column = first; column <= last; column += 1) {
      if (column === 0) {
        current[0] = row;
        continue;
      }
      const substituted = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (above[column] ?? 0) + 1;
      current[column] = Math.min(substituted, inserted, deleted, limit + 1);
    }
    above = current;
  }
  return above[other.length] ?? 0;
}
