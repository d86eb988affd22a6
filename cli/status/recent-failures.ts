// The failures of the last hour by code, and guards that blocked requests or did not judge them. Bounded reads.

import type { GuardedEntries, GuardedQuery } from '../../core/ports/guarded-entries.ts';
import type { ListedEntry, LogReader } from '../../core/ports/log-reader.ts';
import { isBlocking } from '../../core/usage/entry-usage.ts';
import type { CodeCount, GuardState, StatusReport } from '../json/status.ts';

/** Max. entries that are read for each outcome, and for guards. */
const MAX_READ = 2_000;

/** Those with most requests first. A failure without a code, such as a stream that broke, is counted under its outcome. */
export async function countFailures(
  logReader: LogReader,
  query: GuardedQuery,
): Promise<StatusReport['failures']> {
  const lists = await Promise.all(
    (['failed', 'refused'] as const).map((outcome) => readSome(logReader.list({ ...query, outcome }))),
  );
  const groups = Map.groupBy(
    lists.flatMap(({ entries }) => entries),
    ({ outcome, code }) => JSON.stringify([outcome, code ?? outcome]),
  );
  const codes = [...groups.values()].flatMap(toCodeCount).sort((a, b) => b.requests - a.requests);
  return { codes, complete: lists.every(({ complete }) => complete) };
}

async function readSome(list: AsyncIterable<ListedEntry>) {
  const entries: ListedEntry[] = [];
  for await (const entry of list) {
    if (entries.length === MAX_READ) return { entries, complete: false };
    entries.push(entry);
  }
  return { entries, complete: true };
}

function toCodeCount(entries: readonly ListedEntry[]): readonly CodeCount[] {
  const [first] = entries;
  if (first === undefined) return [];
  const { outcome, code = outcome } = first;
  const requests = entries.reduce((sum, { count }) => sum + count, 0);
  return [{ code, outcome, requests, neurons: [...new Set(entries.map(({ neuron }) => neuron))] }];
}

/** Guards of which at least one request of the period tells. A request counts once for each guard. A service leaves a line of what it let pass, too. */
export async function countGuards(
  guardedEntries: GuardedEntries,
  query: GuardedQuery,
): Promise<StatusReport['guards']> {
  const counts = new Map<string, { blocked: number; notJudged: number }>();
  let read = 0;
  for await (const { entries, scanned } of guardedEntries.parts(query)) {
    for (const { guards, outcome, count } of entries) {
      for (const [guard, lines] of Map.groupBy(guards, (one) => one.guard)) {
        const sum = counts.get(guard) ?? { blocked: 0, notJudged: 0 };
        counts.set(guard, {
          blocked: sum.blocked + (lines.some((line) => isBlocking(line, outcome)) ? count : 0),
          notJudged: sum.notJudged + (lines.some((one) => one.notJudged !== undefined) ? count : 0),
        });
      }
    }
    read += scanned;
    if (read >= MAX_READ) return { found: listGuards(counts), complete: false };
  }
  return { found: listGuards(counts), complete: true };
}

function listGuards(counts: ReadonlyMap<string, Omit<GuardState, 'guard'>>): readonly GuardState[] {
  return [...counts]
    .map(([guard, sum]) => ({ guard, ...sum }))
    .filter(({ blocked, notJudged }) => blocked + notJudged > 0)
    .sort((a, b) => b.blocked + b.notJudged - (a.blocked + a.notJudged));
}
