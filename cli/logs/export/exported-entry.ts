// An entry of an export: the stored item, flat, with its type and time and its texts unpacked. The item can be restored from it exactly.
import { unpack } from '../../../adapters/dynamodb/log-items.ts';
import { nameOfKey } from '../../../core/logs/seals/sealed-entry.ts';
import type { Json, StoredRecord } from '../../../core/ports/seals.ts';
import type { StoredEntry, StoredType } from '../../../core/ports/stored-entries.ts';
import { canonicalJson, sameDocument } from '../../../core/text/canonical-json.ts';
import { isJsonObject } from '../../../core/text/json.ts';

/** A line of an export in JSON lines. The columns of the other formats are derived from it. */
export interface ExportedEntry {
  readonly type: StoredType;
  /** ISO 8601, UTC, milliseconds. */
  readonly time: string;
  readonly [name: string]: Json;
}

/** Holds the stored item where it could not be restored from the line, since its own attributes have names that a line adds. */
const RECORD = 'record';
const PACKED = 'packed';

/** The stored item, with the members that a reader needs. */
export function toExportedEntry({ type, sk, record }: StoredEntry): ExportedEntry {
  const { time, id } = nameOfKey(sk);
  const entry: ExportedEntry = {
    ...record,
    ...unpacked(record),
    type,
    time,
    // The item of an outcome has no id of its change, but its key begins with it.
    ...(type === 'outcome' ? { id: id.split('#')[0] ?? id } : {}),
  };
  return sameDocument(toStoredRecord(entry), record) ? entry : { ...entry, [RECORD]: record };
}

/** The stored item, from which its digest was made. */
export function toStoredRecord(entry: ExportedEntry): StoredRecord {
  const { [RECORD]: record, ...line } = entry;
  if (isJsonObject(record)) return record as StoredRecord;
  const shown = new Set([
    'type',
    'time',
    ...(entry.type === 'outcome' ? ['id'] : []),
    ...Object.keys(unpacked(line)),
  ]);
  const own = record === undefined ? line : entry;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !shown.has(name)));
}

/** The line, without its end. Its members are sorted, since DynamoDB keeps no order. */
export function renderLine({ type, time, ...rest }: ExportedEntry): string {
  return `${JSON.stringify({ type, time }).slice(0, -1)},${canonicalJson(rest).slice(1)}`;
}

/** The texts of a packed item; none for an item that is not packed, or that cannot be unpacked. */
function unpacked({ [PACKED]: packed }: StoredRecord): StoredRecord {
  if (typeof packed !== 'object' || packed === null || !('$binary' in packed)) return {};
  return (unpack(Buffer.from(String(packed['$binary']), 'base64')) ?? {}) as StoredRecord;
}
