// Follows the log: new entries as they arrive, oldest first.
import type { Clock } from '../../../core/time/clock.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { createRowRenderer, LOG_COLUMNS, MIXED_COLUMNS, toLogJson } from './log-view.ts';
import type { NamedEntry, OwnersQuery, OwnersReader } from './read-owners.ts';

/** Between two queries. */
const PAUSE_MS = 1_000;
/** How far each query goes back: an index follows its table within moments. */
const GLANCE_MS = 10_000;
/** One in so many queries goes back as far as the longest run: an entry has the time of its request, and is written when the run ends. */
const LOOKS_PER_REVIEW = 15;

/** Allowance after the longest run for its answer and the attempts to write its entry. */
const PUT_MS = 30_000;

/** What following needs. */
interface FollowPorts {
  readonly logReader: OwnersReader;
  readonly clock: Clock;
}

/** How far to look back. */
interface FollowRange {
  /** Entries from here on are shown, existing ones first. */
  readonly fromMs: number;
  /** The longest time from a request to its entry. */
  readonly latestMs: number;
}

/** Yields every entry once. Never ends by itself. */
export async function* followEntries(
  query: Omit<OwnersQuery, 'fromMs' | 'toMs'>,
  { fromMs, latestMs }: FollowRange,
  { logReader, clock }: FollowPorts,
): AsyncGenerator<NamedEntry> {
  /** Times of entries by id, for as long as a query may return them again. */
  const seen = new Map<string, number>();
  for (let looks = 0; ; looks += 1) {
    const nowMs = clock.now();
    const backMs = looks % LOOKS_PER_REVIEW === 0 ? latestMs : GLANCE_MS;
    const sinceMs = looks === 0 ? fromMs : Math.max(fromMs, nowMs - backMs);
    const found: NamedEntry[] = [];
    for await (const entry of logReader.list({ ...query, fromMs: sinceMs, toMs: nowMs + 1 })) {
      if (!seen.has(entry.executionId)) found.push(entry);
    }
    for (const entry of found.reverse()) {
      seen.set(entry.executionId, entry.timeMs);
      yield entry;
    }
    for (const [id, timeMs] of seen) if (timeMs < nowMs - latestMs - PAUSE_MS) seen.delete(id);
    await clock.sleep(PAUSE_MS);
  }
}

/** Prints entries as they come: a line for each. */
export async function printFollowed(
  query: Omit<OwnersQuery, 'fromMs' | 'toMs'>,
  fromMs: number,
  ports: FollowPorts & Pick<Ports, 'stack'> & { readonly isMixed: boolean },
  out: Output,
): Promise<void> {
  const range = { fromMs, latestMs: Number(ports.stack.outputs.maxDeadlineMs) + PUT_MS };
  const renderEntryRow = createRowRenderer(ports.isMixed ? MIXED_COLUMNS : LOG_COLUMNS, out);
  for await (const entry of followEntries(query, range, ports))
    out.value(toLogJson(entry), renderEntryRow(entry));
}
