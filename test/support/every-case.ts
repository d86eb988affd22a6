// Corpora of cases that are alike: `npm test` tries some, evenly spread; with `EVERY_CASE=1` (.ci/deep) all are tried.

export const isEveryCase = process.env['EVERY_CASE'] !== undefined;

/** `stride`, or 1 where every case is tried. */
export function strideOf(stride: number): number {
  return isEveryCase ? 1 : stride;
}

/** One of every `stride` cases. Where cases are rows of a table, a stride without a common factor with their length tries every row and every column. */
export function someOf<T>(cases: readonly T[], stride: number): readonly T[] {
  return cases.filter((_, index) => index % strideOf(stride) === 0);
}
