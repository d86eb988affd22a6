// Entries of which only amounts were left when they were archived: sealed changes of the archive explain them, whichever day has these.
import { type ErasedTags, tagEntry, tagRest } from '../../logs/erasure/erased-tags.ts';
import { isChangeKey } from '../../logs/seals/sealed-entry.ts';
import { ERASED_BY } from '../../ports/personal-data.ts';
import type { SealedEntry, StoredRecord } from '../../ports/seals.ts';
import type { Discrepancy } from '../verify-log/discrepancies.ts';
import {
  AT_ONCE_MS,
  describeErasure,
  type Erasure,
  isErasure,
  repeats,
  toErasure,
} from '../verify-log/erasures.ts';
import type { QueuedEntry } from '../verify-log/sealed-queue.ts';
import { createTagList, type TagList } from './tag-list.ts';

/** An entry in an object: whether it came before, in that of another day, and when this one was written. */
export interface RecordPlace {
  readonly isRepeated: boolean;
  readonly writtenMs: number;
}

export interface ArchivedErasures {
  /** To be told each entry that is as it was sealed: an erasure is one of them. */
  note(sealed: QueuedEntry, record: StoredRecord, place: RecordPlace): void;
  /** To be told the entries of each seal, whatever is archived of them. */
  noteSealed(entries: readonly SealedEntry[]): void;
  /** True for an entry that was erased, whose discrepancies wait for the change. */
  hold(sealed: QueuedEntry, record: StoredRecord, found: ErasedDiscrepancies): boolean;
  /**
   * The number of erased entries, that of entries which were archived before a change erased them, the discrepancies of erased ones that no
   * change explains, and what each change erased or is wrong with it. `isFromBeginning`: the archive has the chain from its first link.
   */
  finish(isFromBeginning: boolean): {
    readonly erased: number;
    readonly erasedLater: number;
    readonly discrepancies: readonly Discrepancy[];
  };
}

interface ErasedDiscrepancies extends Pick<RecordPlace, 'isRepeated'> {
  readonly found: readonly Discrepancy[];
}

interface NamedEntry extends ErasedTags {
  readonly erasure: Erasure;
}

/** An entry that says that it was erased. */
interface HeldEntry extends ErasedDiscrepancies {
  readonly tag: string;
  readonly record: StoredRecord;
}

export function createArchivedErasures(chain: string): ArchivedErasures {
  const erasures: Erasure[] = [];
  const held: HeldEntry[] = [];
  const sealed = createTagList();
  /** By the time at which they were archived: those that came first, and those that came before. */
  const whole = { first: new Map<number, TagList>(), again: new Map<number, TagList>() };
  return {
    note({ entry }, record, { isRepeated, writtenMs }) {
      const lists = isRepeated ? whole.again : whole.first;
      const tags = lists.get(writtenMs) ?? createTagList();
      lists.set(writtenMs, tags);
      tags.add(tagEntry(entry));
      if (isRepeated) return;
      const stored = { type: 'change', pk: entry.pk, sk: entry.sk, record } as const;
      if (!isChangeKey(entry.pk) || !isErasure(chain, stored)) return;
      erasures.push({ ...toErasure(stored), isSealed: true });
    },
    noteSealed(entries) {
      for (const entry of entries) sealed.add(tagEntry(entry));
    },
    hold({ entry }, record, found) {
      if (typeof record[ERASED_BY] !== 'string') return false;
      held.push({ tag: tagEntry(entry), record, ...found });
      return true;
    },
    finish(isFromBeginning) {
      const named = Map.groupBy(
        erasures.flatMap((erasure) => erasure.tags.map((tags): NamedEntry => ({ ...tags, erasure }))),
        ({ entry }) => entry,
      );
      const unexplained = held.filter((one) => !explain(one, named.get(one.tag) ?? []));
      const unseen = new Set(named.keys());
      for (const tag of named.size === 0 ? [] : sealed.tags()) unseen.delete(tag);
      const later = named.size === 0 ? [] : checkWhole(whole.first, named);
      if (named.size > 0) checkWhole(whole.again, named);
      const left = new Set(unexplained);
      return {
        erased: held.filter((one) => !one.isRepeated && !left.has(one)).length,
        erasedLater: later.length,
        discrepancies: [
          ...unexplained.flatMap(({ found }) => found),
          ...erasures.flatMap((erasure) =>
            describeErasure(erasure, isFromBeginning ? countIn(erasure, unseen) : 0),
          ),
        ],
      };
    },
  };
}

/** Counts the entry for the change that erased it, and for changes that repeat this one. */
function explain({ tag, record, isRepeated }: HeldEntry, named: readonly NamedEntry[]): boolean {
  const own = named.find(({ entry, erasure }) => entry === tag && erasure.id === record[ERASED_BY]);
  if (own === undefined || own.rest !== tagRest(record)) return false;
  if (isRepeated) return true;
  own.erasure.erased += 1;
  for (const { erasure } of named) if (repeats(erasure, own.erasure)) erasure.repeated += 1;
  return true;
}

/** Tags of whole entries that changes name. One that was archived when it should have been erased for long is counted for its change. */
function checkWhole(
  whole: ReadonlyMap<number, TagList>,
  named: ReadonlyMap<string, readonly NamedEntry[]>,
): readonly string[] {
  const found: string[] = [];
  for (const [writtenMs, list] of whole)
    for (const tag of list.tags()) {
      const changes = named.get(tag);
      if (changes === undefined) continue;
      found.push(tag);
      for (const { erasure } of changes) if (erasure.timeMs + AT_ONCE_MS < writtenMs) erasure.remaining += 1;
    }
  return found;
}

function countIn({ tags }: Erasure, unseen: ReadonlySet<string>): number {
  return tags.filter(({ entry }) => unseen.has(entry)).length;
}
