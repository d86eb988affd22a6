// Compares the log with its seals in one pass over both, in bounded memory. check-chain.ts checks the links, compare-entry.ts the entries:
// `changed` has another digest, `missing` is gone before its time, `late` was put over 1 h after its time or has no seal after 25 h,
// `unsealed` has none yet.
//
// A merge join by position. Entries come in that order; seals come in that of the stream, nearly the same. Seals are read ahead of the
// entries by some minutes, and what they hold waits in `queue`, by position, for its entry (`matchStored`). An entry whose seal comes later
// waits in `unmatched` (`matchEarlier`). What the entries have passed is in no list, and looked up (`lookUp`).

import { digestRecord } from '../../logs/seals/entry-digest.ts';
import { nameOfKey } from '../../logs/seals/sealed-entry.ts';
import type { SealedEntry, StoredRecord, StoredSeal } from '../../ports/seals.ts';
import { comparePositions, type StoredEntry, type StoredPosition } from '../../ports/stored-entries.ts';
import { toIso } from '../../time/iso.ts';
import { type ChainCheck, createChainCheck, type RequiredHead } from './check-chain.ts';
import {
  compareEntry,
  describeMissing,
  describeUnsealed,
  findEarliness,
  findImpossibleRetention,
  findInconsistency,
  findLateness,
} from './compare-entry.ts';
import {
  createTotals,
  type Discrepancy,
  type VerificationSummary,
  type VerificationTotals,
} from './discrepancies.ts';
import { createErasures, type DigestUsername, type Erasures } from './erasures.ts';
import { createOwner, type Owner } from './owner.ts';
import { createRestores, type Restores } from './restores.ts';
import { createSealedQueue, type QueuedEntry, type SealedQueue } from './sealed-queue.ts';

/** A chain and a period to verify. Times are milliseconds since the Unix epoch. */
export interface Verification {
  readonly chain: string;
  /** Slug of the chain's organization; undefined for the service. */
  readonly organization: string | undefined;
  /** The period of entries, `toMs` exclusive; the chain is checked from its beginning to its end. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  /** For an export: when it was begun. `nowMs` is then the newest moment that its seals date, by which an entry may have expired. */
  readonly exportedMs?: number;
  readonly heads: readonly RequiredHead[];
}

/** Where the log and its seals are read from: the tables, or an export. */
export interface VerificationSources {
  /** The chain, in the order of its numbers. */
  readonly seals: AsyncIterable<StoredSeal>;
  /** The stored entries of the period that have not expired, by position. */
  readonly entries: AsyncIterable<StoredEntry>;
  /** One stored entry, expired or not. */
  find(position: StoredPosition): Promise<StoredRecord | undefined>;
  /** Changes after the period, which may have restored entries of it. */
  readonly laterChanges?: AsyncIterable<StoredEntry>;
  /** Changes of the period and after it that erased persons: they are known before the entries are read. */
  readonly erasures?: readonly StoredEntry[];
  /** Without it, entries that are left of an erased person are not found by the name. */
  readonly digestUsername?: DigestUsername | undefined;
}

export interface VerificationProgress {
  readonly seals: number;
  readonly entries: number;
  /** The time of the entry that was read last. */
  readonly time: string;
}

/** How far seals are read ahead of entries: entries are put some seconds after their time. */
const AHEAD_MS = 5 * 60_000;
/** The most sealed entries that wait at once, whatever is put within that time. */
const MAX_WAITING = 50_000;

/** One verification, under way. */
interface Pass {
  readonly input: Verification;
  readonly period: { readonly from: string; readonly to: string };
  readonly links: AsyncIterator<StoredSeal>;
  readonly find: VerificationSources['find'];
  readonly check: ChainCheck;
  readonly totals: VerificationTotals;
  readonly owner: Owner;
  /** Sealed entries that come after the present position. */
  readonly queue: SealedQueue;
  /** Stored entries whose seal has not been read yet. Digest and username are enough: a record may be large. */
  readonly unmatched: Map<string, Pick<SealedEntry, 'digest'> & Pick<StoredRecord, 'username'>>;
  readonly restores: Restores;
  readonly erasures: Erasures;
  /** When the entries of the links read so far were put at the latest; infinite after the last link. */
  readUntilMs: number;
  /** The entry that was read last; `end` after the last one. */
  position: StoredPosition | 'start' | 'end';
}

/** Yields what is found as it is found, and returns the numbers. */
export async function* verifyLog(
  input: Verification,
  sources: VerificationSources,
  onProgress?: (progress: VerificationProgress) => void,
): AsyncGenerator<Discrepancy, VerificationSummary> {
  const { entries, laterChanges } = sources;
  const pass = start(input, sources);
  const { queue, totals, check } = pass;
  let read = 0;
  for await (const stored of entries) {
    const { time } = nameOfKey(stored.sk);
    while (pass.readUntilMs < Date.parse(time) + AHEAD_MS && queue.size() < MAX_WAITING)
      yield* readLink(pass);
    yield* matchStored(pass, stored);
    read += 1;
    onProgress?.({ seals: totals.counts.seals, entries: read, time });
  }
  pass.position = 'end';
  for (const sealed of takeBefore(queue)) yield* lookUp(pass, sealed);
  while (pass.readUntilMs < Number.POSITIVE_INFINITY) yield* readLink(pass);
  for await (const change of laterChanges ?? []) pass.restores.noteChange(change);
  yield* totals.add(finish(pass));
  yield* totals.add(check.finish());
  return totals.summary(check.head());
}

/** Known after the last link: entries without a seal, and what explains those that came late. */
function finish({ input, unmatched, restores, erasures, totals }: Pass): readonly Discrepancy[] {
  const { exportedMs, organization, nowMs } = input;
  const isExport = exportedMs !== undefined;
  const reading = { nowMs: exportedMs ?? nowMs, isExport };
  const hasNoSeals = isExport && organization !== undefined && totals.counts.seals === 0;
  return [
    ...Array.from(unmatched.keys(), (key) => describeUnsealed(positionOf(key), reading)),
    ...restores.finish(),
    ...erasures.finish(),
    ...(hasNoSeals ? [{ kind: 'no seals' } as const] : []),
  ];
}

function start(
  input: Verification,
  { seals, find, erasures = [], digestUsername }: VerificationSources,
): Pass {
  return {
    input,
    period: { from: toIso(input.fromMs), to: toIso(input.toMs) },
    links: seals[Symbol.asyncIterator](),
    find,
    check: createChainCheck(input.heads, input.nowMs),
    totals: createTotals(),
    owner: createOwner(input.chain, input.organization, input.exportedMs !== undefined),
    restores: createRestores(),
    erasures: createErasures(input.chain, erasures, digestUsername),
    queue: createSealedQueue(),
    unmatched: new Map(),
    readUntilMs: Number.NEGATIVE_INFINITY,
    position: 'start',
  };
}

/** Reads one link. Entries before the present position are looked up at once, the others wait. */
async function* readLink(pass: Pass): AsyncGenerator<Discrepancy> {
  const { done, value } = await pass.links.next();
  if (done) {
    pass.readUntilMs = Number.POSITIVE_INFINITY;
    return;
  }
  const { sequence, entries, discrepancies } = pass.check.check(value);
  pass.owner.noteSeal(value);
  pass.erasures.noteSeal(value);
  pass.totals.counts.seals += 1;
  pass.totals.counts.sealed += entries.length;
  yield* pass.totals.add(discrepancies);
  for (const entry of entries) {
    pass.readUntilMs = Math.max(pass.readUntilMs, entry.putAt * 1000);
    pass.restores.noteSealed(entry);
    pass.erasures.noteSealed(entry);
    const early = entry.sk < pass.period.from ? [] : findEarliness({ entry, sequence });
    yield* pass.totals.add(early);
    // No list shows an item whose key begins with no time: it is in no period.
    if (!isTimed(entry)) yield* lookUp(pass, { entry, sequence });
    else if (entry.sk < pass.period.from || entry.sk >= pass.period.to) continue;
    else if (isPast(pass, entry)) yield* matchEarlier(pass, { entry, sequence });
    else pass.queue.put({ entry, sequence });
  }
}

function isTimed({ sk }: StoredPosition): boolean {
  return !Number.isNaN(Date.parse(nameOfKey(sk).time));
}

function isPast({ position }: Pass, entry: StoredPosition): boolean {
  if (typeof position === 'string') return position === 'end';
  return comparePositions(entry, position) <= 0;
}

/** The next stored entry: whatever was sealed before it is not in the list. */
async function* matchStored(pass: Pass, stored: StoredEntry): AsyncGenerator<Discrepancy> {
  const { queue, totals, unmatched } = pass;
  pass.position = stored;
  for (const sealed of takeBefore(queue, stored)) yield* lookUp(pass, sealed);
  const { isOwn, discrepancies } = pass.owner.place(stored);
  if (isOwn) pass.restores.noteChange(stored);
  const first = queue.first();
  if (first !== undefined && comparePositions(first.entry, stored) === 0) {
    queue.removeFirst();
    yield* compare(pass, first, stored.record, discrepancies);
    return;
  }
  yield* totals.add(discrepancies);
  if (!isOwn) return;
  const { username = null } = stored.record;
  unmatched.set(keyOf(stored), { digest: digestRecord(stored.record).digest, username });
}

/** The rest of an erased entry differs from its seal, and a change says so. */
function* compare(
  pass: Pass,
  sealed: QueuedEntry,
  record: StoredRecord,
  others: readonly Discrepancy[],
): Generator<Discrepancy> {
  const compared = compareEntry(sealed, record);
  if (compared.length === 0)
    yield* count(pass, sealed, [...others, ...pass.erasures.checkWhole(sealed, record['username'])]);
  else if (pass.erasures.explains(sealed.entry, record)) {
    pass.totals.counts.erased += 1;
    yield* pass.totals.add(others);
  } else yield* count(pass, sealed, unlessChanged(compared, others));
}

/** A changed entry is named once: what else is wrong with it follows from the change. */
function unlessChanged(
  compared: readonly Discrepancy[],
  others: readonly Discrepancy[],
): readonly Discrepancy[] {
  return compared.some(({ kind }) => kind === 'changed' || kind === 'erased')
    ? compared
    : [...others, ...compared];
}

/** The seal of an entry that was read before it, unless there is no such entry. */
async function* matchEarlier(pass: Pass, sealed: QueuedEntry): AsyncGenerator<Discrepancy> {
  const key = keyOf(sealed.entry);
  const stored = pass.unmatched.get(key);
  pass.unmatched.delete(key);
  if (stored?.digest !== sealed.entry.digest) yield* lookUp(pass, sealed);
  else yield* count(pass, sealed, pass.erasures.checkWhole(sealed, stored.username));
}

/** The list has no such entry: it is gone, has expired, or hides from the index that the list is made of. */
async function* lookUp(pass: Pass, sealed: QueuedEntry): AsyncGenerator<Discrepancy> {
  const { totals, find, input } = pass;
  const { expiresAt } = sealed.entry;
  const record = await find(sealed.entry);
  if (record !== undefined) yield* compare(pass, sealed, record, findInconsistency(sealed.entry, record));
  else if (expiresAt !== null && expiresAt * 1000 <= input.nowMs) {
    totals.counts.expired += 1;
    yield* totals.add(findImpossibleRetention(sealed.entry));
  } else yield* totals.add([describeMissing(sealed)]);
}

/** An entry that is there: whole, unless it was changed. A late one is explained at the end, if at all. */
function count(
  { totals, restores }: Pass,
  sealed: QueuedEntry,
  discrepancies: readonly Discrepancy[],
): readonly Discrepancy[] {
  const late = findLateness(sealed);
  if (late !== undefined) restores.add(late);
  if (discrepancies.every(({ kind }) => kind !== 'changed' && kind !== 'erased')) totals.counts.whole += 1;
  return totals.add(discrepancies);
}

/** Takes what comes before a position, or everything. */
function* takeBefore(queue: SealedQueue, position?: StoredPosition): Generator<QueuedEntry> {
  for (let first = queue.first(); first !== undefined; first = queue.first()) {
    if (position !== undefined && comparePositions(first.entry, position) >= 0) return;
    queue.removeFirst();
    yield first;
  }
}

function keyOf({ pk, sk }: StoredPosition): string {
  return JSON.stringify([pk, sk]);
}

function positionOf(key: string): StoredPosition {
  const [pk, sk] = JSON.parse(key) as [string, string];
  return { pk, sk };
}
