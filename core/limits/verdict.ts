// Why a counter refuses: because of what is used, which lasts until its window ends, or only because of what is held.
import type { Counts, Metric } from '../ports/counters.ts';
import type { WantedChange } from './account.ts';

/** What a counter says to some changes. */
export type Verdict = 'room' | 'held' | 'used';

/** Used amounts by metric; absent is nothing. */
export type Used = Readonly<Partial<Record<Metric, number>>>;

/** Judges the changes by a counter as it was read. */
export function judge(changes: readonly WantedChange[], counts: Counts): Verdict {
  if (isUsedUp(changes, usedOf(counts))) return 'used';
  const isFull = adding(changes).some(
    ({ metric, taken, limit }) => (counts[metric]?.taken ?? 0) + taken > limit,
  );
  return isFull ? 'held' : 'room';
}

/** True where not even an end of every reservation would make room. */
export function isUsedUp(changes: readonly WantedChange[], used: Used): boolean {
  return adding(changes).some(({ metric, need, limit }) => (used[metric] ?? 0) + need > limit);
}

/** What takes nothing needs no room. */
function adding(changes: readonly WantedChange[]): readonly WantedChange[] {
  return changes.filter(({ taken }) => taken > 0);
}

/** What is used, of every metric that was counted. */
export function usedOf(counts: Counts): Used {
  return Object.fromEntries(
    Object.entries(counts).map(([metric, { taken, held }]) => [metric, taken - held]),
  );
}
