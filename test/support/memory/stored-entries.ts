// The log as it is stored, in memory: made of the entries and changes in memory.
import { entryKeys } from '../../../adapters/dynamodb/log-keys.ts';
import type { RecordedChange } from '../../../core/contract/change-entry.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { ChangeLog } from '../../../core/ports/change-log.ts';
import type { StoredRecord } from '../../../core/ports/seals.ts';
import {
  comparePositions,
  type StoredEntries,
  type StoredEntry,
  type StoredQuery,
} from '../../../core/ports/stored-entries.ts';
import type { EntryReader } from '../../../core/ports/usage.ts';

/** Calls and changes, with keys as the table has them. */
export function createMemoryStoredEntries(log: EntryReader, changes: Pick<ChangeLog, 'list'>): StoredEntries {
  const read = async ({ organization, organizationId, fromMs, toMs }: Omit<StoredQuery, 'nowMs'>) => {
    const found: StoredEntry[] = [];
    const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
    const query = { organizationId, neuronId: undefined, fromDay: day(fromMs), toDay: day(toMs) };
    for await (const { logShard: _shard, ...entry } of log.entries(query))
      found.push(toCall(entry as LogEntry));
    for await (const change of changes.list(organization ?? '', fromMs, toMs)) {
      const isOwn = change.organizationId === undefined || change.organizationId === organizationId;
      if (isOwn) found.push(...toChange(change));
    }
    return found;
  };
  let last: StoredEntry[] = [];
  return {
    // Whoever looks one up has listed before.
    find: async (position) => last.find((entry) => comparePositions(entry, position) === 0)?.record,
    async *list(query, onHour) {
      const { fromMs, toMs, nowMs, after } = query;
      const found = await read(query);
      last = found;
      const from = new Date(fromMs).toISOString();
      const to = new Date(toMs).toISOString();
      yield* found
        .filter(({ sk }) => sk >= from && sk <= to)
        .filter(({ record }) => Number(record['expiresAt']) * 1000 > nowMs)
        .toSorted(comparePositions)
        .filter((entry) => after === undefined || comparePositions(entry, after) > 0);
      onHour?.(to.slice(0, 13));
    },
  };
}

function toCall(entry: LogEntry): StoredEntry {
  const keys = entryKeys(entry, 1) as ReturnType<typeof entryKeys> & Record<'pk' | 'sk', string>;
  return { type: 'call', ...keys, record: toRecord({ ...keys, ...entry }) };
}

function toChange({ outcome, before, after, ...change }: RecordedChange): readonly StoredEntry[] {
  const pk = change.organization === undefined ? 'CHANGES' : `CHANGES#${change.organization}`;
  const sk = `${new Date(change.timeMs).toISOString()}#${change.id}`;
  const texts = { before: JSON.stringify(before ?? null), after: JSON.stringify(after ?? null) };
  const begun: StoredEntry = { type: 'change', pk, sk, record: toRecord({ pk, sk, ...change, ...texts }) };
  if (outcome === 'unknown') return [begun];
  const { organizationId, timeMs: endedAtMs, expiresAt } = change;
  const keys = { pk, sk: `${sk}#result` };
  return [
    begun,
    {
      type: 'outcome',
      ...keys,
      record: toRecord({ ...keys, organizationId, outcome, endedAtMs, expiresAt }),
    },
  ];
}

function toRecord(item: object): StoredRecord {
  return JSON.parse(JSON.stringify(item)) as StoredRecord;
}
