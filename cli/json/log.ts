// Shapes that `neuron logs` prints with --json. The page of `neuron console` reads the same.
import type { RecordedChange } from '../../core/contract/change-entry.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import type { FoundEntry, ListedEntry } from '../../core/ports/log-reader.ts';

/** Members that every line has, null where there is no value. */
type NullableMember = 'version' | 'code' | 'reason' | 'username' | 'keyId' | 'cache';

/** The entry with these members on every line. */
type WithNulls<Entry extends Pick<LogEntry, NullableMember>> = Omit<Entry, NullableMember> & {
  readonly [Name in NullableMember]: NonNullable<Entry[Name]> | null;
};

/** Members that a line has beside the entry: the name of its key, and its time in ISO 8601. */
interface EntryNames {
  readonly keyName: string | null;
  readonly time: string;
}

export type EntryLine = WithNulls<ListedEntry> & EntryNames;

/** `neuron logs --id`. */
export type FullEntryLine = WithNulls<FoundEntry> & EntryNames;

/** A change of `neuron logs --changes`. */
export type ChangeLine = Omit<RecordedChange, 'organization' | 'organizationId' | 'neuron' | 'neuronId'> & {
  readonly time: string;
  readonly organization: string | null;
  readonly organizationId: string | null;
  readonly neuron: string | null;
  readonly neuronId: string | null;
};
