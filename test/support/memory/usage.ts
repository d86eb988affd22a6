// The usage table in memory.

import {
  USAGE_AMOUNTS,
  type UsageAmounts,
  type UsageLedger,
  type UsageReader,
  type UsageRow,
} from '../../../core/ports/usage.ts';
import type { Clock } from '../../../core/time/clock.ts';

/** What was added can be listed at once; a row that has ended is not shown. */
export function createMemoryUsage(clock: Pick<Clock, 'now'>): UsageLedger & UsageReader {
  const marked = new Set<string>();
  const rows = new Map<string, UsageRow>();
  return {
    async add(marks, changes) {
      const repeated = marks.filter(({ key }) => marked.has(key));
      if (repeated.length > 0) return { outcome: 'repeated', marks: repeated };
      for (const { key } of marks) marked.add(key);
      for (const change of changes) {
        const { organizationId, day, neuronId, subject } = change;
        const key = JSON.stringify([organizationId, day, neuronId, subject]);
        rows.set(key, add(rows.get(key), change));
      }
      return { outcome: 'added' };
    },
    async *list({ organizationId, neuronId, fromDay, toDay }) {
      yield* [...rows.values()].filter(
        (row) =>
          row.organizationId === organizationId &&
          (neuronId === undefined || row.neuronId === neuronId) &&
          row.day >= fromDay &&
          row.day <= toDay &&
          (row.expiresAt === undefined || row.expiresAt * 1000 > clock.now()),
      );
    },
    async isCounted(markKey) {
      return marked.has(markKey);
    },
  };
}

function add(row: UsageRow | undefined, change: UsageRow): UsageRow {
  if (row === undefined) return change;
  const amounts = Object.fromEntries(
    USAGE_AMOUNTS.map((name) => [name, row.amounts[name] + change.amounts[name]]),
  );
  const entriesEnd = { ...row.entriesEnd };
  for (const [day, count] of Object.entries(change.entriesEnd))
    entriesEnd[day] = (entriesEnd[day] ?? 0) + count;
  return { ...change, amounts: amounts as UsageAmounts, entriesEnd };
}
