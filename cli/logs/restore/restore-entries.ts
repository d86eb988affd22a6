// Restores lost entries from their log lines, and continues past those that fail.
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { type OpenStream, parseLine, parseOpenLine } from '../../../core/logs/line.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { LogStore } from '../../../core/ports/stores.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { explainKnown } from '../../output/failure.ts';

/** An entry that could not be restored, and why, without anything internal. */
interface RestoreFailure {
  readonly executionId: string;
  readonly why: string;
}

/** Numbers of distinct entries. `entries` is the sum of the other three. */
interface RestoreCounts {
  readonly entries: number;
  readonly restored: number;
  readonly there: number;
  readonly failed: number;
}

/** The result. `failures` are the first few. `gaveUp`: too many failed in a row, the last one because of `lastWhy`, and the rest was skipped. */
export interface Restoration extends RestoreCounts {
  readonly failures: readonly RestoreFailure[];
  readonly gaveUp: boolean;
  readonly lastWhy: string | undefined;
}

/** What restoring needs. */
interface RestorePorts {
  readonly logReader: Pick<LogReader, 'find'>;
  readonly logStore: LogStore;
  readonly clock: Pick<Clock, 'now'>;
  /** The data folder, where the command works on a local run. */
  readonly local: string | undefined;
}

/** Lines that are looked up at once. */
const SIDE_BY_SIDE = 16;
/** More failures in a row are not single bad entries: the store is down, or access to it is denied. */
export const MAX_FAILURES_IN_A_ROW = 32;
/** Failures listed by id. */
const MAX_NAMED = 5;
/** Ids remembered. One that recurs after more others is found in the store, and counted once more. */
const MAX_REMEMBERED = 1_000_000;

/** One run of restoring, over any number of sources. */
interface Restorer {
  /**
   * Restores the entries of a source. Lines of other origin, expired entries and ids already seen
   * are skipped. `onGroup` is called every few lines. Resolves to false when it gave up; throws only what the source throws.
   */
  restore(source: AsyncIterable<string>, onGroup: () => void): Promise<boolean>;
  /**
   * Restores the streams that opened and whose end no source had, once their function must have ended. To be called after all sources;
   * resolves to false when it gave up.
   */
  restoreInterrupted(): Promise<boolean>;
  /** The result so far. */
  result(): Restoration;
}

export function createRestorer({ logReader, logStore, clock, local }: RestorePorts): Restorer {
  const seen = new Set<string>();
  const opened = createOpenStreams();
  const counting = createCounts(local);
  const isNew = ({ executionId, expiresAt }: LogEntry): boolean => {
    if (expiresAt <= clock.now() / 1000 || seen.has(executionId)) return false;
    seen.add(executionId);
    return true;
  };
  /** The entries of lines, without expired and repeated ones. Of a stream that opened, the line of its end decides. */
  const choose = (lines: readonly string[]): readonly LogEntry[] =>
    lines
      .map((line) => {
        opened.note(line);
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
    const outcomes = await Promise.all(entries.map((entry) => restoreOne(entry, logReader, logStore)));
    for (const [at, entry] of entries.entries()) {
      opened.forget(entry);
      const outcome = outcomes[at];
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

/** Counts what became of each entry. */
function createCounts(local: string | undefined) {
  const counts = { entries: 0, restored: 0, there: 0, failed: 0 };
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

/** Streams that opened and whose end was not seen yet; the oldest are forgotten where there are too many. */
function createOpenStreams() {
  const streams = new Map<string, OpenStream>();
  return {
    /** Remembers the stream of a line that opened one. */
    note(line: string): void {
      const stream = parseOpenLine(line);
      if (stream === undefined) return;
      streams.set(stream.entry.executionId, stream);
      const [oldest] = streams.keys();
      if (streams.size > MAX_REMEMBERED && oldest !== undefined) streams.delete(oldest);
    },
    forget: ({ executionId }: LogEntry): void => void streams.delete(executionId),
    /** Those whose function must have ended. */
    endedBy: (nowMs: number): readonly LogEntry[] =>
      [...streams.values()].flatMap(({ entry, endsByMs }) => (endsByMs <= nowMs ? [entry] : [])),
  };
}

type Outcome = 'restored' | 'there' | { readonly error: unknown };

/** Never throws. An entry that another process wrote between the look-up and the put stays. */
async function restoreOne(
  entry: LogEntry,
  logReader: Pick<LogReader, 'find'>,
  logStore: LogStore,
): Promise<Outcome> {
  try {
    if ((await logReader.find(entry.executionId)) !== undefined) return 'there';
    return (await logStore.put(entry)) ? 'restored' : 'there';
  } catch (error) {
    return { error };
  }
}

/** By the kind of error only: messages of AWS name tables and may quote the entry. */
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
