// One entry of an export: what is stored, flat, with its type and time first.
import type { StoredEntry, StoredType } from '../../../core/ports/stored-entries.ts';

/** A line of an export in JSON lines; the columns of the other formats are made of it. */
export interface ExportedEntry extends Readonly<Record<string, unknown>> {
  readonly type: StoredType;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
}

/** The outcome of a change is stored without the id of its change, which its key ends with. */
export function toExportedEntry({ type, sk, members }: StoredEntry): ExportedEntry {
  const [time = '', id = ''] = sk.split('#');
  return { type, time, ...(type === 'outcome' ? { id } : {}), ...members };
}
