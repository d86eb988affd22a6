// What `neuron logs` prints with --json. Types alone: the page of `neuron console` reads the same.
import type { RecordedChange } from '../../core/contract/change-entry.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import type { ListedEntry } from '../../core/ports/log-reader.ts';

/** Members that every line has, null where there is no value. */
type Nullable = 'version' | 'code' | 'reason' | 'username' | 'keyId' | 'cache';

/** The values of a shape that every line has. */
type WithNulls<Entry extends Pick<LogEntry, Nullable>> = Omit<Entry, Nullable> & {
  readonly [Name in Nullable]: NonNullable<Entry[Name]> | null;
};

/** What is added to an entry: the name of its key, and its time in ISO 8601. */
interface Named {
  readonly keyName: string | null;
  readonly time: string;
}

/** An entry of the list. */
export type EntryLine = WithNulls<ListedEntry> & Named;

/** `neuron logs --id`. */
export type FullEntryLine = WithNulls<LogEntry> & Named;

/** A change of `neuron logs --changes`. */
export type ChangeLine = Omit<RecordedChange, 'organization' | 'organizationId' | 'neuron' | 'neuronId'> & {
  readonly time: string;
  readonly organization: string | null;
  readonly organizationId: string | null;
  readonly neuron: string | null;
  readonly neuronId: string | null;
};
