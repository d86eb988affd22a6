// Verifies an archive of the log: every day is there, every object is the one that its day describes, and every entry what was sealed.
import { createHash } from 'node:crypto';
import {
  type ArchivedChain,
  type ArchiveManifest,
  dayOfManifest,
  parseManifest,
} from '../../logs/archive/format.ts';
import { toIso } from '../../time/iso.ts';
import { type ArchiveProblem, type ArchiveSummary, createArchiveTotals } from './archive-problems.ts';
import { type ArchivedChainCheck, createArchivedChainCheck } from './check-archived-chain.ts';

const DAY_MS = 86_400_000;
/** A day is archived an hour after its end, and tried again for a day. */
const ARCHIVED_BY_MS = 3 * 3_600_000;

export interface ArchiveSource {
  /** Names within the archive's folder, in any order. */
  readonly names: () => AsyncIterable<string>;
  /** Undefined for an object that is not there. */
  readonly read: (name: string) => Promise<Buffer | undefined>;
}

export interface ArchiveVerification {
  /** The last day that must be there, by default yesterday. */
  readonly lastDay?: string;
  /** The first day that must be there, by default the oldest that is there. */
  readonly firstDay?: string;
  /** Heads that a chain of the archive must contain, `SEQUENCE:HASH`. */
  readonly head?: { readonly sequence: number; readonly hash: string } | undefined;
  readonly nowMs: number;
}

/** Yields what is found as it is found, and returns the numbers. */
export async function* verifyArchive(
  input: ArchiveVerification,
  source: ArchiveSource,
): AsyncGenerator<ArchiveProblem, ArchiveSummary> {
  const names = new Set<string>();
  for await (const name of source.names()) names.add(name);
  const days = [...names].flatMap((name) => dayOfManifest(name) ?? []).toSorted();
  const totals = createArchiveTotals();
  const known = new Set<string>();
  const chains = new Map<string, ArchivedChainCheck>();
  yield* totals.add(findMissingDays(days, input));
  for (const day of days) {
    const name = `days/${day}.json`;
    known.add(name);
    const manifest = parseManifest((await source.read(name))?.toString() ?? '', day);
    if (manifest === undefined) {
      yield* totals.add([{ kind: 'day unreadable', day }]);
      continue;
    }
    totals.counts.days += 1;
    yield* verifyDay(manifest, source, { names, known, chains, totals, head: input.head });
  }
  for (const chain of chains.values()) yield* totals.add(chain.finish());
  const foreign = [...names].filter((name) => !known.has(name)).toSorted();
  yield* totals.add(foreign.map((name) => ({ kind: 'foreign object', name })));
  if (days.length === 0) yield* totals.add([{ kind: 'empty' }]);
  if (input.head !== undefined && ![...chains.values()].some((chain) => chain.hasKeptHead()))
    yield* totals.add([{ kind: 'kept head' }]);
  return totals.summary(days);
}

interface DayState {
  readonly names: ReadonlySet<string>;
  readonly known: Set<string>;
  readonly chains: Map<string, ArchivedChainCheck>;
  readonly totals: ReturnType<typeof createArchiveTotals>;
  readonly head: ArchiveVerification['head'];
}

async function* verifyDay(
  manifest: ArchiveManifest,
  { read }: ArchiveSource,
  { names, known, chains, totals, head }: DayState,
): AsyncGenerator<ArchiveProblem> {
  const writtenMs = Date.parse(manifest.writtenAt);
  for (const [chain, archived] of Object.entries(manifest.chains)) {
    const check = chains.get(chain) ?? createArchivedChainCheck(chain, totals.counts, head);
    chains.set(chain, check);
    for (const { name, bytes, sha256 } of archived.objects) {
      known.add(name);
      // A manifest names no file but those of the archive.
      const body = names.has(name) ? await read(name) : undefined;
      if (body === undefined) {
        yield* totals.add([{ kind: 'object missing', name }]);
        continue;
      }
      totals.counts.objects += 1;
      const isSame = body.byteLength === bytes && createHash('sha256').update(body).digest('hex') === sha256;
      if (!isSame) yield* totals.add([{ kind: 'object changed', name }]);
      for (const problems of check.read(body.toString(), { name, writtenMs })) yield* totals.add(problems);
    }
    yield* totals.add(compareHead(manifest.day, chain, archived, check));
  }
}

function compareHead(
  day: string,
  chain: string,
  { head }: ArchivedChain,
  check: ArchivedChainCheck,
): readonly ArchiveProblem[] {
  return check.head() === head ? [] : [{ kind: 'head', day, chain }];
}

/** Days between the first and the last that have no manifest. */
function findMissingDays(
  days: readonly string[],
  { firstDay, lastDay, nowMs }: ArchiveVerification,
): readonly ArchiveProblem[] {
  const first = firstDay ?? days[0];
  const last = lastDay ?? toIso(nowMs - ARCHIVED_BY_MS - DAY_MS).slice(0, 10);
  if (first === undefined) return [];
  const there = new Set(days);
  const problems: ArchiveProblem[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const day = toIso(at).slice(0, 10);
    if (!there.has(day)) problems.push({ kind: 'day missing', day });
  }
  return problems;
}
