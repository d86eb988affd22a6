// The usage table in memory, with the seals of the log.

import type { SlotReader, SlotRow } from '../../../core/ports/rollout-watch.ts';
import type { Seal, SealReader } from '../../../core/ports/seals.ts';
import {
  USAGE_AMOUNTS,
  type UsageAmounts,
  type UsageLedger,
  type UsageMark,
  type UsageReader,
  type UsageRow,
} from '../../../core/ports/usage.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { addByName } from '../../../core/usage/merge-rows.ts';

/** What was added can be listed at once; a row that has ended is not shown. */
export function createMemoryUsage(
  clock: Pick<Clock, 'now'>,
): UsageLedger & UsageReader & SealReader & SlotReader {
  const marked = new Set<string>();
  const nameOf = ({ group, id }: Pick<UsageMark, 'group' | 'id'>) => `${group} ${id}`;
  const rows = new Map<string, UsageRow>();
  const chains = new Map<string, Seal[]>();
  return {
    async add(marks, changes, seals) {
      const repeated = marks.filter((mark) => marked.has(nameOf(mark)));
      if (repeated.length > 0) return { outcome: 'repeated', marks: repeated };
      const outdated = seals.filter(({ chain, sequence }) =>
        chains.get(chain)?.some((seal) => seal.sequence === sequence),
      );
      if (outdated.length > 0) return { outcome: 'outdated', chains: outdated.map(({ chain }) => chain) };
      for (const seal of seals) chains.set(seal.chain, [...(chains.get(seal.chain) ?? []), seal]);
      for (const mark of marks) marked.add(nameOf(mark));
      for (const change of changes) {
        const { organizationId, day, neuronId, subject } = change;
        const kind = subject.kind === 'organization' ? subject.kind : subject;
        const key = JSON.stringify([organizationId, day, neuronId, kind]);
        rows.set(key, add(rows.get(key), change));
      }
      return { outcome: 'added' };
    },
    async *list({ organizationId, neuronId, fromDay, toDay }) {
      yield* [...rows.values()].filter(
        (row) =>
          row.subject.kind !== 'organization' &&
          row.subject.kind !== 'slot' &&
          row.organizationId === organizationId &&
          (neuronId === undefined || row.neuronId === neuronId) &&
          row.day >= fromDay &&
          row.day <= toDay &&
          (row.expiresAt === undefined || row.expiresAt * 1000 > clock.now()),
      );
    },
    async *listOrganizations({ fromDay, toDay }) {
      yield* [...rows.values()]
        .filter(({ subject, day }) => subject.kind === 'organization' && day >= fromDay && day <= toDay)
        .sort((one, other) => (one.day < other.day ? -1 : 1));
    },
    async *slots(after, before) {
      yield* [...rows.values()]
        .filter((row): row is SlotRow => row.subject.kind === 'slot')
        .filter(({ subject }) => subject.slot > after && subject.slot < before)
        .sort((one, other) => (one.subject.slot < other.subject.slot ? -1 : 1));
    },
    async isCounted(mark) {
      return marked.has(nameOf(mark));
    },
    async read(chain) {
      const newest = chains.get(chain)?.at(-1);
      if (newest === undefined) return undefined;
      const { sequence, hash, sealedAtMs } = newest;
      return { chain, sequence, hash, sealedAtMs };
    },
    async *seals(chain) {
      for (const seal of chains.get(chain) ?? []) yield { sequence: seal.sequence, seal };
    },
  };
}

function add(row: UsageRow | undefined, change: UsageRow): UsageRow {
  if (row === undefined) return change;
  const amounts = Object.fromEntries(
    USAGE_AMOUNTS.map((name) => [name, row.amounts[name] + change.amounts[name]]),
  );
  const entriesEnd = addByName(row.entriesEnd, change.entriesEnd);
  const buckets = { buckets: addByName(row.buckets ?? {}, change.buckets ?? {}) };
  const hasBuckets = row.buckets !== undefined || change.buckets !== undefined;
  return { ...change, amounts: amounts as UsageAmounts, entriesEnd, ...(hasBuckets ? buckets : {}) };
}
