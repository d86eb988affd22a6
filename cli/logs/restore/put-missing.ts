// Puts the missing entries of a group, each named before by a change of its organization.
import type { RecordChange } from '../../../core/admin/record-change.ts';
import { type ChangeDescription, RESTORE_ACTION } from '../../../core/contract/change-entry.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { LogStore } from '../../../core/ports/stores.ts';

/** `erased`: of a person who was erased since. */
export type Outcome = 'restored' | 'there' | 'erased' | { readonly error: unknown };

interface PutPorts {
  readonly logReader: Pick<LogReader, 'find'>;
  readonly logStore: LogStore;
  readonly recordChange: RecordChange;
  readonly isErased: (entry: LogEntry) => Promise<boolean>;
}

/** Never throws. An entry that another process wrote between the look-up and the put stays. */
export async function putMissing(
  entries: readonly LogEntry[],
  ports: PutPorts,
): Promise<ReadonlyMap<LogEntry, Outcome>> {
  const outcomes = new Map<LogEntry, Outcome>();
  await Promise.all(
    entries.map((entry) =>
      attempt(entry, outcomes, async () => {
        if ((await ports.logReader.find(entry.executionId)) !== undefined) return 'there';
        return (await ports.isErased(entry)) ? 'erased' : undefined;
      }),
    ),
  );
  const missing = entries.filter((entry) => !outcomes.has(entry));
  for (const some of groupForChanges(missing)) await putNamed(some, outcomes, ports);
  return outcomes;
}

/** Sets the outcome unless there is none yet. */
async function attempt(
  entry: LogEntry,
  outcomes: Map<LogEntry, Outcome>,
  make: () => Promise<Outcome | undefined>,
): Promise<void> {
  const outcome = await make().catch((error: unknown) => ({ error }));
  if (outcome !== undefined) outcomes.set(entry, outcome);
}

/** Without its change no entry is put. */
async function putNamed(
  entries: readonly LogEntry[],
  outcomes: Map<LogEntry, Outcome>,
  { logStore, recordChange }: PutPorts,
): Promise<void> {
  const put = async (entry: LogEntry) => ((await logStore.put(entry)) ? 'restored' : 'there');
  const [{ organization, organizationId } = { organization: '', organizationId: '' }] = entries;
  const after = { entries: entries.map(({ executionId }) => executionId) };
  const subject = { organization, organizationId };
  const description: ChangeDescription = { actions: [RESTORE_ACTION], ...subject, before: undefined, after };
  await recordChange(
    description,
    () => Promise.all(entries.map((entry) => attempt(entry, outcomes, () => put(entry)))),
    () => entries.some((entry) => outcomes.get(entry) === 'restored'),
  ).catch((error: unknown) => {
    for (const entry of entries) if (!outcomes.has(entry)) outcomes.set(entry, { error });
  });
}

/** Characters of the ids in a change: its text stays readable as it is stored, and is not packed. */
const MAX_NAMED_LENGTH = 1_500;

/** By organization, and by the length of the ids. */
function groupForChanges(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const groups: LogEntry[][] = [];
  for (const some of Map.groupBy(entries, ({ organizationId }) => organizationId).values()) {
    let length = MAX_NAMED_LENGTH;
    for (const entry of some) {
      // With quotes and a comma.
      const added = entry.executionId.length + 3;
      length += added;
      if (length > MAX_NAMED_LENGTH) {
        groups.push([]);
        length = added;
      }
      groups.at(-1)?.push(entry);
    }
  }
  return groups;
}
