// An entry as an item of the log table: large texts are packed, and cut with a mark when the item would not fit.

import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { TABLES } from '../../core/contract/tables.ts';
import type { ListedEntry } from '../../core/ports/log-reader.ts';
import type { Item } from './client.ts';
import { entryKeys, executionIdOfKey } from './log-keys.ts';
import { toReadable } from './stored/readable-entry.ts';

/** Larger texts and traces are stored as gzip of their JSON: a write costs a unit for every 1 KB. */
export const PACK_ABOVE_BYTES = 2_048;

/** Less than the 400 KB that DynamoDB allows (amazondynamodb/latest/developerguide/Constraints.html), for keys and overhead. */
export const ITEM_BUDGET_BYTES = 350_000;

/** Steps and model calls that stay when nothing else helps; each has a kilobyte at most. */
const MAX_WHEN_CUT = 100;

/** Whole where it fits, else without the texts of the trace, without any text, or with only the first steps. */
export function toLogItem(entry: LogEntry, shards: number): Item {
  const keys = entryKeys(entry, shards);
  const whole = pack(entry);
  if (sizeOf(whole) <= ITEM_BUDGET_BYTES) return { ...keys, ...whole };
  const withoutTraceTexts = {
    ...entry,
    trace: entry.trace.map(({ input: _i, output: _o, ...step }) => step),
    cut: true as const,
  };
  const withoutTexts = { ...withoutTraceTexts, input: undefined, output: undefined };
  const short = {
    ...withoutTexts,
    trace: withoutTexts.trace.slice(0, MAX_WHEN_CUT),
    modelCalls: entry.modelCalls.slice(0, MAX_WHEN_CUT),
  };
  const cut = [withoutTraceTexts, withoutTexts].map(pack).find((item) => sizeOf(item) <= ITEM_BUDGET_BYTES);
  return { ...keys, ...(cut ?? pack(short)) };
}

/** The entry as it was put: the item without its keys and its salt. */
export function toLogEntry(item: Item): LogEntry {
  const {
    pk: _pk,
    sk: _sk,
    organizationHour: _o,
    failureHour: _f,
    usernameHour: _u,
    salt: _s,
    packed,
    ...entry
  } = item;
  return { ...unpack(packed), ...entry } as unknown as LogEntry;
}

/** The same for readers: every member has its type, whatever the item holds. */
export function toReadableEntry(item: Item): LogEntry {
  const { sk } = item;
  return toReadable({ ...toLogEntry(item) }, sk) as unknown as LogEntry;
}

/** The packed members. Any other one in there is left out: an item put by hand could show other members than it has. */
const PACKED_TEXTS: ReadonlySet<string> = new Set(['input', 'output', 'trace', 'before', 'after']);

/** More than any request can make; a few bytes put by hand could unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 64 * 1_048_576;

/** The texts of a packed item; undefined for an item that is not packed, or that cannot be unpacked. */
export function unpack(packed: unknown): Item | undefined {
  if (!(packed instanceof Uint8Array)) return undefined;
  try {
    const texts: unknown = JSON.parse(gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString());
    if (typeof texts !== 'object' || texts === null) return undefined;
    return Object.fromEntries(Object.entries(texts).filter(([name]) => PACKED_TEXTS.has(name)));
  } catch {
    return undefined;
  }
}

const [{ include: LISTED }] = TABLES.logs.indexes;

/** An entry as lists show it, from an item of the table or of an index. */
export function toListedEntry(item: Item): ListedEntry {
  const readable = toReadable(item, item['sk']);
  const { expiresAt: _expiresAt, ...listed } = Object.fromEntries(
    LISTED.map((name) => [name, readable[name]]),
  );
  // No index repeats the execution id: every sort key ends with it.
  return { ...listed, executionId: executionIdOfKey(String(item['sk'])) } as unknown as ListedEntry;
}

/** Model calls are never packed: the rollup function reads them from the stream. */
function pack({ input, output, trace, ...rest }: LogEntry): Item {
  const texts = { input, output, trace };
  const json = JSON.stringify(texts);
  const isLarge = Buffer.byteLength(json) > PACK_ABOVE_BYTES;
  return { ...rest, ...(isLarge ? { packed: new Uint8Array(gzipSync(json)) } : texts) };
}

/** At least about what DynamoDB counts: JSON takes as much for names and structure. */
function sizeOf({ packed, ...rest }: Item): number {
  return Buffer.byteLength(JSON.stringify(rest)) + (packed instanceof Uint8Array ? packed.byteLength : 0);
}

/** Long enough that nobody can guess an address or a username, which have few possible values, by its digest. */
const SALT_BYTES = 16;

/** The salt of one item. With it, the digests in a seal tell nothing once the item is deleted. */
export function createSalt(): Uint8Array {
  return new Uint8Array(randomBytes(SALT_BYTES));
}
