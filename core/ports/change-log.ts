// Ports to the entries of changes by operators.
import type { ChangeEntry, ChangeOutcome, RecordedChange } from '../contract/change-entry.ts';

/** Writes entries of changes; append-only. */
export interface ChangeWriter {
  /** Before the change. Throws when the entry cannot be written; then the change must not be made. */
  begin(change: ChangeEntry): Promise<void>;
  /** After it. */
  end(change: ChangeEntry, outcome: ChangeOutcome): Promise<void>;
}

/** Reads them. */
interface ChangeReader {
  /** Changes of an organization, by its slug, and of the whole service, newest first. `toMs` is exclusive. */
  list(organization: string, fromMs: number, toMs: number): AsyncIterable<RecordedChange>;
  /** One of them. */
  find(organization: string, id: string): Promise<RecordedChange | undefined>;
}

/** Both. */
export type ChangeLog = ChangeWriter & ChangeReader;
