// One entry of an export: what is stored, flat, with its type and time and its texts unpacked. It gives the stored item back exactly.
import { unpack } from '../../../adapters/dynamodb/log-items.ts';
import { nameOfKey } from '../../../core/logs/seals/sealed-entry.ts';
import type { Json, StoredRecord } from '../../../core/ports/seals.ts';
import type { StoredEntry, StoredType } from '../../../core/ports/stored-entries.ts';
import { canonicalJson, sameDocument } from '../../../core/text/canonical-json.ts';

/** A line of an export in JSON lines; the columns of the other formats are made of it. */
export interface ExportedEntry {
  readonly type: StoredType;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly [name: string]: Json;
}

/** The item as it is stored, where a line could not give it back: someone put one whose attributes have the names of a line. */
const RECORD = 'record';
const PACKED = 'packed';

/** What is stored, and what a reader wants to see of it. */
export function toExportedEntry({ type, sk, record }: StoredEntry): ExportedEntry {
  const { time, id } = nameOfKey(sk);
  const entry: ExportedEntry = {
    ...record,
    ...unpacked(record),
    type,
    time,
    // The outcome of a change is stored without the id of its change, which its key ends with.
    ...(type === 'outcome' ? { id: id.split('#')[0] ?? id } : {}),
  };
  return sameDocument(toStoredRecord(entry), record) ? entry : { ...entry, [RECORD]: record };
}

/** The item that the entry was made of, of which its digest is. */
export function toStoredRecord(entry: ExportedEntry): StoredRecord {
  const { [RECORD]: record, ...line } = entry;
  if (record !== undefined) return record as StoredRecord;
  const shown = new Set([
    'type',
    'time',
    ...(entry.type === 'outcome' ? ['id'] : []),
    ...Object.keys(unpacked(line)),
  ]);
  return Object.fromEntries(Object.entries(line).filter(([name]) => !shown.has(name)));
}

/** The line, without its end. Always in the same order: DynamoDB promises none. */
export function renderLine({ type, time, ...rest }: ExportedEntry): string {
  return `${JSON.stringify({ type, time }).slice(0, -1)},${canonicalJson(rest).slice(1)}`;
}

/** The texts of a packed item; none where they are not packed, or cannot be unpacked. */
function unpacked({ [PACKED]: packed }: StoredRecord): StoredRecord {
  if (typeof packed !== 'object' || packed === null || !('$binary' in packed)) return {};
  try {
    return (unpack(Buffer.from(String(packed['$binary']), 'base64')) ?? {}) as StoredRecord;
  } catch {
    return {};
  }
}
