// Ports to the entries of changes by operators.
import type { ChangeEntry, ChangeOutcome, RecordedChange } from '../contract/change-entry.ts';

/** Append-only. */
export interface ChangeWriter {
  /** To be called before the change. Throws when the entry cannot be written; then the change must not be made. */
  begin(change: ChangeEntry): Promise<void>;
  /** To be called after the change. */
  end(change: ChangeEntry, outcome: ChangeOutcome): Promise<void>;
}

interface ChangeReader {
  /** Changes of an organization, by its slug, and of the whole service, newest first. `toMs` is exclusive. */
  list(organization: string, fromMs: number, toMs: number): AsyncIterable<RecordedChange>;
  find(organization: string, id: string): Promise<RecordedChange | undefined>;
}

export type ChangeLog = ChangeWriter & ChangeReader;
