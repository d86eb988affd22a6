// Checks the objects of one chain, day after day: its links follow each other, and after each come the entries that it seals.
import { renderHead } from '../../logs/seals/seal.ts';
import type { Json, Seal, SealedEntry, SealHead, StoredRecord } from '../../ports/seals.ts';
import { parseJson, toJsonObject } from '../../text/json.ts';
import { createChainCheck } from '../verify-log/check-chain.ts';
import { compareEntry, describeMissing } from '../verify-log/compare-entry.ts';
import type { Discrepancy } from '../verify-log/discrepancies.ts';
import type { QueuedEntry } from '../verify-log/sealed-queue.ts';
import type { ArchiveCounts, ArchiveProblem } from './archive-problems.ts';
import { type ArchivedErasures, createArchivedErasures, type RecordPlace } from './archived-erasures.ts';

export interface ArchivedChainCheck {
  /** Checks an object, and gives the problems of each seal. */
  read(text: string, object: ArchivedText): Generator<readonly ArchiveProblem[]>;
  /** The newest link so far, as `neuron logs head` prints it. */
  head(): string | undefined;
  hasKeptHead(): boolean;
  /** After the last object: erased entries that no change of the archive explains. */
  finish(): readonly ArchiveProblem[];
}

interface ArchivedText {
  readonly name: string;
  readonly writtenMs: number;
}

/** A seal with the lines after it, up to the next seal. */
interface SealGroup {
  readonly seal: Seal | undefined;
  readonly records: readonly (StoredRecord | null)[];
  readonly unreadable: number;
}

/** `isRepeated`: the seal came before, so that its entries are counted. */
interface CheckedGroup {
  readonly entries: readonly SealedEntry[];
  readonly discrepancies: readonly Discrepancy[];
  readonly isRepeated: boolean;
}

export function createArchivedChainCheck(
  chain: string,
  counts: ArchiveCounts,
  kept: Pick<SealHead, 'sequence' | 'hash'> | undefined,
): ArchivedChainCheck {
  // An archive may begin long after its chain: nothing before its first link is missing from it.
  const check = createChainCheck([], Number.POSITIVE_INFINITY);
  /** Hashes of links by their numbers: those around midnight are in two days. */
  const seen = new Map<number, string>();
  const erasures = createArchivedErasures(chain);
  let isKeptSeen = false;

  function checkSeal(seal: Seal): CheckedGroup {
    const { sequence, hash } = seal;
    if (kept?.sequence === sequence && kept.hash === hash) isKeptSeen = true;
    const isRepeated = seen.get(sequence) === hash;
    if (!isRepeated) {
      counts.seals += 1;
      seen.set(sequence, hash);
      return { ...check.check({ sequence, seal }), isRepeated };
    }
    // Alone: that it follows the link before was checked when it came first.
    return { ...createChainCheck([], Number.POSITIVE_INFINITY).check({ sequence, seal }), isRepeated };
  }

  function checkGroup({ seal, records, unreadable }: SealGroup, { name, writtenMs }: ArchivedText) {
    const problems: ArchiveProblem[] = [];
    const isOwn = seal?.chain === chain;
    const { entries, discrepancies, isRepeated } = seal !== undefined && isOwn ? checkSeal(seal) : NOTHING;
    const found = [...discrepancies];
    const byKey = new Map(records.flatMap((record) => (record === null ? [] : [[keyOf(record), record]])));
    erasures.noteSealed(entries);
    for (const entry of entries) {
      const sealed = { entry, sequence: seal?.sequence ?? 0 };
      const record = byKey.get(keyOf({ ...entry }));
      byKey.delete(keyOf({ ...entry }));
      if (record !== undefined) found.push(...checkRecord(sealed, record, { isRepeated, writtenMs }));
      else if (entry.expiresAt !== null && entry.expiresAt * 1000 <= writtenMs)
        counts.expired += isRepeated ? 0 : 1;
      else found.push(describeMissing(sealed));
    }
    const lines = unreadable + byKey.size + (isOwn ? 0 : records.length + Number(seal !== undefined));
    if (lines > 0) problems.push({ kind: 'lines', name, chain, lines });
    return [...problems, ...found.map((one) => ({ kind: 'sealed' as const, chain, found: one }))];
  }

  const checkRecord = createRecordCheck(counts, erasures);
  return {
    *read(text, object) {
      for (const group of groupsOf(text)) yield checkGroup(group, object);
    },
    head() {
      const head = check.head();
      return head === undefined ? undefined : renderHead(head);
    },
    hasKeptHead: () => isKeptSeen,
    finish: () => finishErasures(chain, counts, erasures.finish(seen.has(1))),
  };
}

function finishErasures(
  chain: string,
  counts: ArchiveCounts,
  { erased, erasedLater, discrepancies }: ReturnType<ArchivedErasures['finish']>,
): readonly ArchiveProblem[] {
  counts.erased += erased;
  counts.erasedLater += erasedLater;
  return discrepancies.map((found) => ({ kind: 'sealed', chain, found }));
}

/** Compares an archived entry with its seal. One that came before is counted there; it may have been erased between the two. */
function createRecordCheck(counts: ArchiveCounts, erasures: ArchivedErasures) {
  return (sealed: QueuedEntry, record: StoredRecord, place: RecordPlace): readonly Discrepancy[] => {
    const changed = compareEntry(sealed, record);
    if (changed.length === 0) {
      if (!place.isRepeated) counts.whole += 1;
      erasures.note(sealed, record, place);
      return [];
    }
    if (erasures.hold(sealed, record, { found: changed, ...place })) return [];
    return changed;
  };
}

const NOTHING: CheckedGroup = { entries: [], discrepancies: [], isRepeated: false };

function keyOf({ pk, sk }: Readonly<Record<string, Json | undefined>>): string {
  return JSON.stringify([pk ?? null, sk ?? null]);
}

function* groupsOf(text: string): Generator<SealGroup> {
  let group = { seal: undefined as Seal | undefined, records: [] as (StoredRecord | null)[], unreadable: 0 };
  const isUsed = () => group.seal !== undefined || group.records.length > 0 || group.unreadable > 0;
  // A text that ends as it should has an empty line at its end.
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const value = toJsonObject(parseJson(line));
    // A member that stands twice is another one to other programs.
    const isWritten = value !== undefined && JSON.stringify(value) === line;
    const seal = isWritten ? toSeal(value['seal']) : undefined;
    if (seal !== undefined) {
      if (isUsed()) yield group;
      group = { seal, records: [], unreadable: 0 };
    } else if (isWritten && (value['record'] === null || toJsonObject(value['record']) !== undefined))
      group.records.push(value['record'] as StoredRecord | null);
    else group.unreadable += 1;
  }
  if (isUsed()) yield group;
}

function toSeal(value: unknown): Seal | undefined {
  const seal = toJsonObject(value);
  const isSeal =
    seal !== undefined &&
    ['format', 'sequence', 'previousAtMs', 'sealedAtMs'].every((name) => Number.isSafeInteger(seal[name])) &&
    ['chain', 'previous', 'lines', 'hash'].every((name) => typeof seal[name] === 'string');
  return isSeal ? (seal as unknown as Seal) : undefined;
}
