// Entries of which only amounts were left when they were archived: sealed changes of the archive explain them, whichever day has these.
import { ERASE_ACTION } from '../../contract/change-entry.ts';
import { tagEntry, tagRest, unpackTags } from '../../logs/erasure/erased-tags.ts';
import { isChangeKey } from '../../logs/seals/agreement.ts';
import { ERASED_BY } from '../../ports/personal-data.ts';
import type { StoredRecord } from '../../ports/seals.ts';
import type { Discrepancy } from '../verify-log/discrepancies.ts';
import type { QueuedEntry } from '../verify-log/sealed-queue.ts';

export interface ArchivedErasures {
  /** To be told each entry that is as it was sealed: an erasure is one of them. */
  note(sealed: QueuedEntry, record: StoredRecord): void;
  /** True for an entry that was erased, whose discrepancies wait for the change. */
  hold(sealed: QueuedEntry, record: StoredRecord, found: readonly Discrepancy[]): boolean;
  /**
   * The number of erased entries, that of entries which changes name and which were not erased when they were archived, some of them perhaps
   * before the archive began, and the discrepancies of erased ones that no change explains.
   */
  finish(): {
    readonly erased: number;
    readonly erasedLater: number;
    readonly discrepancies: readonly Discrepancy[];
  };
}

export function createArchivedErasures(chain: string): ArchivedErasures {
  /** By the tag of each erased entry: what is left of it, and the change. */
  const named = new Map<string, { readonly rest: string; readonly id: unknown }>();
  const held: {
    readonly tag: string;
    readonly record: StoredRecord;
    readonly found: readonly Discrepancy[];
  }[] = [];
  return {
    note({ entry }, record) {
      const { actions, organizationId, id, erased } = record;
      const isErasure = Array.isArray(actions) && actions.includes(ERASE_ACTION);
      if (!isErasure || organizationId !== chain || !isChangeKey(entry.pk)) return;
      for (const tags of unpackTags(erased) ?? []) named.set(tags.entry, { rest: tags.rest, id });
    },
    hold({ entry }, record, found) {
      if (typeof record[ERASED_BY] !== 'string') return false;
      held.push({ tag: tagEntry(entry), record, found });
      return true;
    },
    finish() {
      const unexplained = held.filter(({ tag, record }) => {
        const one = named.get(tag);
        return one === undefined || one.id !== record[ERASED_BY] || one.rest !== tagRest(record);
      });
      const left = new Set(unexplained);
      const explained = new Set(held.filter((one) => !left.has(one)).map(({ tag }) => tag));
      return {
        erased: held.length - unexplained.length,
        erasedLater: [...named.keys()].filter((tag) => !explained.has(tag)).length,
        discrepancies: unexplained.flatMap(({ found }) => found),
      };
    },
  };
}
