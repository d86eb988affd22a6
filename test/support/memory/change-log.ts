// Changes by operators in memory.
import type { ChangeOutcome, RecordedChange } from '../../../core/contract/change-entry.ts';
import type { ChangeLog } from '../../../core/ports/change-log.ts';

/** What was begun can be listed at once; nothing ends. */
export function createMemoryChangeLog(): ChangeLog {
  const changes = new Map<string, RecordedChange>();
  const own = (organization: string) =>
    [...changes.values()].filter(
      (change) => change.organization === organization || change.organization === undefined,
    );
  return {
    async begin(change) {
      changes.set(change.id, { ...structuredClone(change), outcome: 'unknown' });
    },
    async end({ id }, outcome: ChangeOutcome) {
      const change = changes.get(id);
      if (change !== undefined) changes.set(id, { ...change, outcome });
    },
    async *list(organization, fromMs, toMs) {
      // Of one millisecond the later one is newer.
      yield* own(organization)
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
        .toReversed()
        .toSorted((a, b) => b.timeMs - a.timeMs);
    },
    async find(organization, id) {
      return own(organization).find((change) => change.id === id);
    },
  };
}
