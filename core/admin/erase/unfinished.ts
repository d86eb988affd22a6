// Reads erasures from the log of changes: those that a run was ended in, and the names of persons who must not come back.
import { CHANGE_RETENTION_MS, ERASE_ACTION, type RecordedChange } from '../../contract/change-entry.ts';
import { CHANGES_PARTITION } from '../../contract/tables.ts';
import { type ErasedName, readErasedName } from '../../logs/erasure/erased-name.ts';
import { type ErasedTags, unpackTags } from '../../logs/erasure/erased-tags.ts';
import type { ChangeLog } from '../../ports/change-log.ts';
import type { StoredEntries } from '../../ports/stored-entries.ts';
import { toIso } from '../../time/iso.ts';

/** A change that was begun and not ended, with the tags of the entries that it names. */
export interface UnfinishedErasure {
  readonly change: RecordedChange;
  readonly tags: readonly ErasedTags[];
}

/** A person who was erased, at a time in milliseconds since the Unix epoch. */
export interface ErasedPerson {
  readonly name: ErasedName;
  readonly timeMs: number;
  readonly change: RecordedChange;
}

interface ErasureQuery {
  readonly organization: string;
  readonly organizationId: string;
  readonly nowMs: number;
}

/** Operators' clocks differ. */
const SKEW_MS = 60_000;

/** Erasures of an organization, newest first, as far back as changes are kept. One that was not ended counts. */
export async function* listErased(
  { organization, organizationId, nowMs }: ErasureQuery,
  changes: Pick<ChangeLog, 'list'>,
): AsyncGenerator<ErasedPerson> {
  const found = changes.list(organization, nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS);
  for await (const change of found) {
    const name = readErasedName(change.after);
    const isOwn = change.organizationId === organizationId && change.actions.includes(ERASE_ACTION);
    if (isOwn && name !== undefined) yield { name, timeMs: change.timeMs, change };
  }
}

/** Erasures of a person that a run was ended in. */
export async function findUnfinished(
  query: ErasureQuery,
  isPerson: (name: ErasedName) => boolean,
  {
    changes,
    storedEntries,
  }: { readonly changes: Pick<ChangeLog, 'list'>; readonly storedEntries: Pick<StoredEntries, 'find'> },
): Promise<readonly UnfinishedErasure[]> {
  const unfinished: UnfinishedErasure[] = [];
  for await (const { name, change } of listErased(query, changes)) {
    if (change.outcome !== 'unknown' || !isPerson(name)) continue;
    const sk = `${toIso(change.timeMs)}#${change.id}`;
    const record = await storedEntries.find({ pk: `${CHANGES_PARTITION}#${query.organization}`, sk });
    unfinished.push({ change, tags: unpackTags(record?.['erased']) ?? [] });
  }
  return unfinished;
}
