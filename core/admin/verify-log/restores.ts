// Explains late entries by sealed changes that name them: nothing explains itself.

import { RESTORE_ACTION } from '../../contract/change-entry.ts';
import { digestRecord } from '../../logs/seals/entry-digest.ts';
import { isChangeKey } from '../../logs/seals/sealed-entry.ts';
import type { SealedEntry, StoredRecord } from '../../ports/seals.ts';
import type { StoredEntry, StoredPosition } from '../../ports/stored-entries.ts';
import { memberOf, parseJson } from '../../text/json.ts';
import type { Discrepancy } from './discrepancies.ts';

export type LateDiscrepancy = Extract<Discrepancy, { readonly kind: 'late' }>;

/** Collects late entries, and what restored them; both may be read in any order. */
export interface Restores {
  /** To be told each stored change of the chain. */
  noteChange(stored: StoredEntry): void;
  /** To be told each entry of each link. */
  noteSealed(entry: SealedEntry): void;
  /** A late entry that waits for its explanation. */
  add(late: LateDiscrepancy): void;
  /** All of them, after the last link and the last change. */
  finish(): readonly LateDiscrepancy[];
}

/** A change that restored entries, as it is stored. */
interface Restore {
  readonly id: string;
  readonly digest: string;
  readonly key: string;
}

/** How far the seconds of the stream may put a change after the entries that it names. */
const CLOCK_MS = 2_000;

export function createRestores(): Restores {
  const byExecution = new Map<string, Restore[]>();
  /** When each change was put, by its key and digest. */
  const sealed = new Map<string, number>();
  const waiting: LateDiscrepancy[] = [];

  /** A change counts only where its seal says the same, and that it came before the entry. */
  function explain(late: LateDiscrepancy): string | null {
    const lateMs = Date.parse(late.putAt ?? '');
    const found = byExecution.get(late.id)?.find(({ key, digest }) => {
      const putAtMs = sealed.get(`${key} ${digest}`);
      return putAtMs !== undefined && putAtMs <= lateMs + CLOCK_MS;
    });
    return found?.id ?? null;
  }

  return {
    noteChange({ type, record, ...position }) {
      if (type !== 'change' || !isRestore(record)) return;
      const restore = {
        id: String(record['id']),
        digest: digestRecord(record).digest,
        key: keyOf(position),
      };
      for (const id of namedExecutions(record)) {
        const others = byExecution.get(id) ?? [];
        byExecution.set(id, [...others, restore]);
      }
    },
    noteSealed(entry) {
      if (isChangeKey(entry.pk)) sealed.set(`${keyOf(entry)} ${entry.digest}`, entry.putAt * 1000);
    },
    add: (late) => void waiting.push(late),
    finish: () => waiting.map((late) => ({ ...late, restoredBy: explain(late) })),
  };
}

function keyOf({ pk, sk }: StoredPosition): string {
  return JSON.stringify([pk, sk]);
}

function isRestore({ actions }: StoredRecord): boolean {
  return Array.isArray(actions) && actions.includes(RESTORE_ACTION);
}

/** The execution ids in the text of a change; none where somebody wrote another text. */
function namedExecutions({ after }: StoredRecord): readonly string[] {
  const entries = typeof after === 'string' ? memberOf(parseJson(after), 'entries') : undefined;
  return Array.isArray(entries) ? entries.filter((id) => typeof id === 'string') : [];
}
