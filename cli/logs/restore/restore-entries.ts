// Restores lost entries from their log lines, and continues past those that fail.
import type { RecordChange } from '../../../core/admin/record-change.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { type OpenRun, parseLine, parseOpenLine } from '../../../core/logs/line.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { LogStore } from '../../../core/ports/stores.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { explainKnown } from '../../output/failure.ts';
import { type Outcome, putMissing } from './put-missing.ts';

/** An entry that could not be restored. `why` holds nothing internal. */
interface RestoreFailure {
  readonly executionId: string;
  readonly why: string;
}

/** Numbers of distinct entries; `entries` is the sum of the others. */
interface RestoreCounts {
  readonly entries: number;
  readonly restored: number;
  readonly there: number;
  readonly erased: number;
  readonly failed: number;
}

/** `failures`: the first few. `gaveUp`: too many entries failed in a row, the last one because of `lastWhy`; the rest was skipped. */
export interface Restoration extends RestoreCounts {
  readonly failures: readonly RestoreFailure[];
  readonly gaveUp: boolean;
  readonly lastWhy: string | undefined;
}

interface RestorePorts {
  /** Names the entries in a change before they are put: `neuron logs verify` takes a late entry for a false one otherwise. */
  readonly recordChange: RecordChange;
  readonly logReader: Pick<LogReader, 'find'>;
  readonly logStore: LogStore;
  /** Whether its person was erased after its time. */
  readonly isErased: (entry: LogEntry) => Promise<boolean>;
  readonly clock: Pick<Clock, 'now'>;
  /** Data folder of the local run, if the command works on one. */
  readonly local: string | undefined;
}

/** Lines that are looked up at once. */
const SIDE_BY_SIDE = 16;
/** More failures in a row mean that the store is down or denies access, not that single entries are bad. */
export const MAX_FAILURES_IN_A_ROW = 32;
/** Max. number of failures that are listed by id. */
const MAX_NAMED = 5;
/** Max. number of ids in memory. An older one that recurs is found in the store, and counted again. */
const MAX_REMEMBERED = 1_000_000;

interface Restorer {
  /**
   * Restores the entries of a source. Other lines, expired entries and ids that were seen before are skipped. `onGroup` is called every
   * few lines. Resolves to false when it gave up; throws only errors of the source.
   */
  restore(source: AsyncIterable<string>, onGroup: () => void): Promise<boolean>;
  /**
   * Restores runs whose start was in a source but whose end was in none, if their function must have ended. Call it after all sources.
   * Resolves to false when it gave up.
   */
  restoreInterrupted(): Promise<boolean>;
  result(): Restoration;
}

export function createRestorer(ports: RestorePorts): Restorer {
  const { clock, local } = ports;
  const seen = new Set<string>();
  const opened = createOpenRuns();
  const counting = createCounts(local);
  const isNew = ({ executionId, expiresAt }: LogEntry): boolean => {
    if (expiresAt <= clock.now() / 1000 || seen.has(executionId)) return false;
    seen.add(executionId);
    return true;
  };
  /** New entries that have not expired. The entry of a run is in the line of its end. */
  const choose = (lines: readonly string[]): readonly LogEntry[] =>
    lines
      .map((line) => {
        opened.note(line, seen);
        return parseLine(line);
      })
      .filter((entry) => entry !== undefined)
      .filter(isNew);
  const forget = () => {
    for (const id of seen) {
      if (seen.size <= MAX_REMEMBERED) return;
      seen.delete(id);
    }
  };
  const restoreAll = async (entries: readonly LogEntry[]): Promise<void> => {
    const outcomes = await putMissing(entries, ports);
    for (const entry of entries) {
      opened.forget(entry);
      const outcome = outcomes.get(entry);
      if (outcome !== undefined) counting.count(entry, outcome);
    }
    forget();
  };
  return {
    result: counting.result,
    async restore(source, onGroup) {
      for await (const lines of inGroups(source)) {
        await restoreAll(choose(lines));
        if (counting.gaveUp()) return false;
        onGroup();
      }
      return true;
    },
    async restoreInterrupted() {
      const lost = opened.endedBy(clock.now()).filter(isNew);
      for (let at = 0; at < lost.length && !counting.gaveUp(); at += SIDE_BY_SIDE)
        await restoreAll(lost.slice(at, at + SIDE_BY_SIDE));
      return !counting.gaveUp();
    },
  };
}

function createCounts(local: string | undefined) {
  const counts = { entries: 0, restored: 0, there: 0, erased: 0, failed: 0 };
  const failures: RestoreFailure[] = [];
  let failedInARow = 0;
  let lastWhy: string | undefined;
  const gaveUp = (): boolean => failedInARow >= MAX_FAILURES_IN_A_ROW;
  return {
    gaveUp,
    result: (): Restoration => ({ ...counts, failures: [...failures], gaveUp: gaveUp(), lastWhy }),
    count({ executionId }: LogEntry, outcome: Outcome): void {
      counts.entries += 1;
      if (typeof outcome === 'string') {
        counts[outcome] += 1;
        failedInARow = 0;
        return;
      }
      counts.failed += 1;
      failedInARow += 1;
      lastWhy = explain(outcome.error, local);
      if (failures.length < MAX_NAMED) failures.push({ executionId, why: lastWhy });
    },
  };
}

/** Runs whose end was not seen yet. The oldest are dropped where there are too many. */
function createOpenRuns() {
  const runs = new Map<string, OpenRun>();
  return {
    /** Adds the run of a line that starts one, unless its end was seen. */
    note(line: string, ended: ReadonlySet<string>): void {
      const run = parseOpenLine(line);
      if (run === undefined || ended.has(run.entry.executionId)) return;
      runs.set(run.entry.executionId, run);
      const [oldest] = runs.keys();
      if (runs.size > MAX_REMEMBERED && oldest !== undefined) runs.delete(oldest);
    },
    forget: ({ executionId }: LogEntry): void => void runs.delete(executionId),
    /** Entries of runs whose function must have ended. */
    endedBy: (nowMs: number): readonly LogEntry[] =>
      [...runs.values()].flatMap(({ entry, endsByMs }) => (endsByMs <= nowMs ? [entry] : [])),
  };
}

/** Uses only the kind of the error: messages of AWS name tables and may quote the entry. */
function explain(error: unknown, local: string | undefined): string {
  const known = explainKnown(error, local);
  if (known !== undefined) return known.detail.what;
  const name = error instanceof Error ? error.name : '';
  if (name === 'ValidationException') return 'The table rejected the entry.';
  if (/Throttling|ThroughputExceeded|RequestLimitExceeded/.test(name))
    return 'The table is throttling requests.';
  return 'The log could not be reached or failed.';
}

async function* inGroups(source: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  for await (const line of source) {
    lines.push(line);
    if (lines.length < SIDE_BY_SIDE) continue;
    yield lines;
    lines = [];
  }
  yield lines;
}
