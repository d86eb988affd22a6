// Explains entries of which only amounts are left, by sealed changes that name each of them; and finds changes that name what they did not erase.
import { ERASE_ACTION } from '../../contract/change-entry.ts';
import { type ErasedName, readStoredName } from '../../logs/erasure/erased-name.ts';
import { type ErasedTags, tagEntry, tagRest, unpackTags } from '../../logs/erasure/erased-tags.ts';
import { digestRecord } from '../../logs/seals/entry-digest.ts';
import { isChangeKey, nameOfKey } from '../../logs/seals/sealed-entry.ts';
import { ERASED_BY } from '../../ports/personal-data.ts';
import type { SealedEntry, StoredRecord, StoredSeal } from '../../ports/seals.ts';
import type { StoredEntry } from '../../ports/stored-entries.ts';
import { memberOf, parseJson } from '../../text/json.ts';
import type { Discrepancy } from './discrepancies.ts';
import type { QueuedEntry } from './sealed-queue.ts';

/** Digests a username under the log key with this id; undefined where that key cannot be read. */
export type DigestUsername = (username: string, key: string) => string | undefined;

/** Knows the erasures of a chain before its entries are read. */
export interface Erasures {
  /** To be told each link, and each entry of it. */
  noteSeal(stored: StoredSeal): void;
  noteSealed(entry: SealedEntry): void;
  /** True for what is left of the entry, if a change names both. */
  explains(sealed: SealedEntry, record: StoredRecord): boolean;
  /** An entry that is as it was sealed: a change may say that it was erased, or its person. */
  checkWhole(sealed: QueuedEntry, username: StoredRecord[string] | undefined): readonly Discrepancy[];
  /** The work of each erasure, and what is wrong with it, after the last link and the last entry. */
  finish(): readonly Discrepancy[];
}

/** A change that erased entries, and what was found of it so far. */
export interface Erasure {
  readonly id: string;
  readonly timeMs: number;
  readonly by: string;
  readonly reason: string;
  readonly key: string;
  readonly digest: string;
  readonly name: ErasedName | undefined;
  readonly tags: readonly ErasedTags[];
  erased: number;
  remaining: number;
  /** Entries that it names and an earlier change erased. */
  repeated: number;
  isSealed: boolean;
}

/** How far the clock of the operator may be from that of the stream. */
const CLOCK_MS = 2_000;
/** Two runs that began at once record their changes within this time: each reads the log before. And a run takes no longer. */
export const AT_ONCE_MS = 3_600_000;
/** An entry that was put longer after its own time was put back. */
const LATE_MS = 3_600_000;

export function createErasures(
  chain: string,
  changes: readonly StoredEntry[],
  digestUsername: DigestUsername = () => undefined,
): Erasures {
  const erasures = changes.filter((stored) => isErasure(chain, stored)).map(toErasure);
  const byTag = Map.groupBy(
    erasures.flatMap((erasure) => erasure.tags.map(({ entry, rest }) => ({ entry, rest, erasure }))),
    ({ entry }) => entry,
  );
  const unseen = new Set(byTag.keys());
  let isFromBeginning = false;
  return {
    noteSeal({ sequence }) {
      if (sequence === 1) isFromBeginning = true;
    },
    noteSealed(entry) {
      if (erasures.length === 0) return;
      unseen.delete(tagEntry(entry));
      if (!isChangeKey(entry.pk)) return;
      const key = keyOf(entry);
      for (const erasure of erasures)
        if (erasure.key === key && erasure.digest === entry.digest) erasure.isSealed = true;
    },
    explains(sealed, record) {
      const id = record[ERASED_BY];
      const all = byTag.get(tagEntry(sealed)) ?? [];
      const named = all.find(({ erasure }) => erasure.id === id);
      if (named === undefined || named.rest !== tagRest(record)) return false;
      named.erasure.erased += 1;
      for (const { erasure } of all) if (repeats(erasure, named.erasure)) erasure.repeated += 1;
      return true;
    },
    checkWhole({ entry, sequence }, username) {
      if (erasures.length === 0) return [];
      const named = byTag.get(tagEntry(entry));
      if (named !== undefined) {
        for (const { erasure } of named) erasure.remaining += 1;
        return [];
      }
      if (typeof username !== 'string') return [];
      const erasure = erasures.find(
        (one) => isOf(one, username, digestUsername) && wasThere(entry, one.timeMs),
      );
      if (erasure === undefined) return [];
      const { pk, sk } = entry;
      return [{ kind: 'remaining', ...nameOfKey(sk), pk, sk, sequence, erasedBy: erasure.id }];
    },
    finish: () =>
      erasures.flatMap((erasure) => {
        const unknown = isFromBeginning ? erasure.tags.filter(({ entry }) => unseen.has(entry)).length : 0;
        return describeErasure(erasure, unknown);
      }),
  };
}

export function isErasure(chain: string, { type, record }: StoredEntry): boolean {
  const { actions, organizationId } = record;
  const isOwn = type === 'change' && organizationId === chain;
  return isOwn && Array.isArray(actions) && actions.includes(ERASE_ACTION);
}

export function toErasure({ record, ...position }: StoredEntry): Erasure {
  const { after, by, id, erased } = record;
  const reason = memberOf(typeof after === 'string' ? parseJson(after) : undefined, 'reason');
  return {
    id: String(id),
    timeMs: Date.parse(nameOfKey(position.sk).time),
    by: String(by),
    reason: String(reason),
    key: keyOf(position),
    digest: digestRecord(record).digest,
    name: readStoredName(record),
    tags: unpackTags(erased) ?? [],
    erased: 0,
    remaining: 0,
    repeated: 0,
    isSealed: false,
  };
}

function isOf({ name }: Erasure, username: string, digestUsername: DigestUsername): boolean {
  return name !== undefined && digestUsername(username, name.key) === name.digest;
}

/**
 * True for a change that names what another one had erased: no run of the command does so long after it, or under another name. Two runs at
 * once may name the same entries.
 */
export function repeats(later: Erasure, { id, timeMs, name }: Erasure): boolean {
  if (later.id === id) return false;
  const isOtherName = later.name?.key === name?.key && later.name?.digest !== name?.digest;
  return isOtherName ? later.timeMs >= timeMs : later.timeMs - timeMs > AT_ONCE_MS;
}

/** True for an entry of before the erasure that was in the log then, or was put back since. */
function wasThere({ sk, putAt }: SealedEntry, erasedMs: number): boolean {
  const [timeMs, putAtMs] = [Date.parse(nameOfKey(sk).time), putAt * 1000];
  return timeMs < erasedMs && (putAtMs + CLOCK_MS < erasedMs || putAtMs - timeMs > LATE_MS);
}

/** `unknown`: entries that were never in the log. */
export function describeErasure(erasure: Erasure, unknown: number): readonly Discrepancy[] {
  const { id, timeMs, by, reason, erased, remaining, repeated, isSealed } = erasure;
  const about = { kind: 'erasure', id, time: new Date(timeMs).toISOString(), by, reason } as const;
  const problems = [
    ...(isSealed ? [] : [{ ...about, problem: 'unsealed', entries: erased } as const]),
    ...(remaining === 0 ? [] : [{ ...about, problem: 'not erased', entries: remaining } as const]),
    ...(unknown === 0 ? [] : [{ ...about, problem: 'unknown entries', entries: unknown } as const]),
    ...(repeated === 0 ? [] : [{ ...about, problem: 'erased before', entries: repeated } as const]),
  ];
  return [
    ...problems,
    ...(problems.length > 0 ? [] : [{ ...about, problem: null, entries: erased } as const]),
  ];
}

function keyOf({ pk, sk }: { readonly pk: string; readonly sk: string }): string {
  return JSON.stringify([pk, sk]);
}
