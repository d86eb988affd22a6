// Follows the log: yields new entries as they arrive, oldest first.
import type { Clock } from '../../../core/time/clock.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { createRowRenderer, LOG_COLUMNS, MIXED_COLUMNS, toLogJson } from './log-view.ts';
import type { NamedEntry, OwnersQuery, OwnersReader } from './read-owners.ts';

const PAUSE_MS = 1_000;
/** Each query goes back this far, since an index lags behind its table. */
const OVERLAP_MS = 10_000;
/** One in this many queries goes back as far as the longest run: an entry has the time of its request but is written after the run. */
const QUERIES_PER_FULL_RANGE = 15;

/** Time after the longest run for its answer and the attempts to write its entry. */
const WRITE_ALLOWANCE_MS = 30_000;

interface FollowPorts {
  readonly logReader: OwnersReader;
  readonly clock: Clock;
}

interface FollowRange {
  /** Start of the shown entries; existing ones come first. */
  readonly fromMs: number;
  /** Max. time from a request to its entry. */
  readonly maxDelayMs: number;
}

/** Yields every entry once. Never ends by itself. */
export async function* followEntries(
  query: Omit<OwnersQuery, 'fromMs' | 'toMs'>,
  { fromMs, maxDelayMs }: FollowRange,
  { logReader, clock }: FollowPorts,
): AsyncGenerator<NamedEntry> {
  /** Times by id of the entries that a query may return again. */
  const seen = new Map<string, number>();
  for (let queries = 0; ; queries += 1) {
    const nowMs = clock.now();
    const lookbackMs = queries % QUERIES_PER_FULL_RANGE === 0 ? maxDelayMs : OVERLAP_MS;
    const sinceMs = queries === 0 ? fromMs : Math.max(fromMs, nowMs - lookbackMs);
    const found: NamedEntry[] = [];
    for await (const entry of logReader.list({ ...query, fromMs: sinceMs, toMs: nowMs + 1 })) {
      if (!seen.has(entry.executionId)) found.push(entry);
    }
    for (const entry of found.reverse()) {
      seen.set(entry.executionId, entry.timeMs);
      yield entry;
    }
    for (const [id, timeMs] of seen) if (timeMs < nowMs - maxDelayMs - PAUSE_MS) seen.delete(id);
    await clock.sleep(PAUSE_MS);
  }
}

/** Prints a line for each entry as it comes. */
export async function printFollowed(
  query: Omit<OwnersQuery, 'fromMs' | 'toMs'>,
  fromMs: number,
  ports: FollowPorts & Pick<Ports, 'stack'> & { readonly isMixed: boolean },
  out: Output,
): Promise<void> {
  const range = { fromMs, maxDelayMs: Number(ports.stack.outputs.maxDeadlineMs) + WRITE_ALLOWANCE_MS };
  const renderEntryRow = createRowRenderer(ports.isMixed ? MIXED_COLUMNS : LOG_COLUMNS, out);
  for await (const entry of followEntries(query, range, ports))
    out.value(toLogJson(entry), renderEntryRow(entry));
}
