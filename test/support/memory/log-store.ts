// The audit trail in memory.
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { GuardedEntries } from '../../../core/ports/guarded-entries.ts';
import { type ListedEntry, type LogReader, passesFilters } from '../../../core/ports/log-reader.ts';
import type { LogStore } from '../../../core/ports/stores.ts';
import type { EntryReader } from '../../../core/ports/usage.ts';
import type { Clock } from '../../../core/time/clock.ts';

/** What was put can be listed and found at once; an entry that has ended is not shown. */
export function createMemoryLog(clock: Clock): LogStore & LogReader & EntryReader & GuardedEntries {
  const entries = new Map<string, LogEntry>();
  const live = () => [...entries.values()].filter(({ expiresAt }) => expiresAt * 1000 > clock.now());
  return {
    async put(entry) {
      const key = `${entry.neuronId} ${entry.timeMs} ${entry.executionId}`;
      if (entries.has(key)) return false;
      entries.set(key, structuredClone(entry));
      return true;
    },
    async *list(query, onProgress) {
      const { organizationId, neuronId, username, fromMs, toMs } = query;
      yield* live()
        .filter((entry) => entry.organizationId === organizationId)
        .filter((entry) => neuronId === undefined || entry.neuronId === neuronId)
        .filter((entry) => username === undefined || entry.username === username)
        .filter((entry) => passesFilters(query, entry))
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
        .toSorted((a, b) => b.timeMs - a.timeMs || (a.executionId < b.executionId ? 1 : -1))
        .map(toListed);
      onProgress?.({ hoursRead: 1, hoursInAll: 1 });
    },
    async *parts({ organizationId, neuronId, fromMs, toMs }) {
      const entries = live()
        .filter((entry) => entry.organizationId === organizationId)
        .filter((entry) => neuronId === undefined || entry.neuronId === neuronId)
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
      const guarded = entries.flatMap(({ timeMs, neuron, outcome, count, guards }) =>
        guards === undefined ? [] : [{ timeMs, neuron, outcome, count, guards }],
      );
      yield { fromMs, scanned: entries.length, entries: guarded };
    },
    async *entries({ organizationId, neuronId, fromDay, toDay }) {
      const dayOf = ({ timeMs }: LogEntry) => new Date(timeMs).toISOString().slice(0, 10);
      yield* live()
        .filter((entry) => entry.organizationId === organizationId)
        .filter((entry) => neuronId === undefined || entry.neuronId === neuronId)
        .filter((entry) => dayOf(entry) >= fromDay && dayOf(entry) <= toDay)
        .map((entry) => ({ ...entry, logShard: 0 }));
    },
    async find(executionId) {
      return live().find((entry) => entry.executionId === executionId);
    },
  };
}

/** What lists leave out. */
const UNLISTED: ReadonlySet<string> = new Set<keyof LogEntry>([
  'organizationId',
  'neuronId',
  'refererHost',
  'authentication',
  'ownLatencyMs',
  'savingsMicrodollars',
  'infrastructureNanodollars',
  'cacheDistance',
  'cacheSource',
  'cacheFailures',
  'leftOut',
  'modelCalls',
  'trace',
  'input',
  'output',
  'expiresAt',
  'cut',
]);

function toListed(entry: LogEntry): ListedEntry {
  return Object.fromEntries(
    Object.entries(entry).filter(([name]) => !UNLISTED.has(name)),
  ) as unknown as ListedEntry;
}
