// An entry as an item of the log table: its texts packed when they are large, and cut with a mark when the item would not fit.
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import type { ListedEntry } from '../../core/ports/log-reader.ts';
import type { Item } from './client.ts';
import { entryKeys, executionIdOfKey } from './log-keys.ts';

/** Texts and trace above this are stored as gzip of their JSON: a write costs a unit for every 1 KB. */
export const PACK_ABOVE_BYTES = 2_048;

/** What an item may take of the 400 KB that DynamoDB allows (amazondynamodb/latest/developerguide/Constraints.html), keys and overhead aside. */
export const ITEM_BUDGET_BYTES = 350_000;

/** Steps and model calls that stay when nothing else helps; no more than a kilobyte each. */
const MAX_WHEN_CUT = 100;

/** The item of an entry: whole where it fits, else without the texts of the trace, without any text, or with the first steps alone. */
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

/** An item without its keys and its salt is the entry, as the store put it. */
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
  return { ...entry, ...unpack(packed) } as unknown as LogEntry;
}

/** The texts of a packed item; undefined for an item that is not packed. */
export function unpack(packed: unknown): Item | undefined {
  return packed instanceof Uint8Array ? (JSON.parse(gunzipSync(packed).toString()) as Item) : undefined;
}

/** What a list shows of an item, also of one that an index projected. */
export function toListedEntry(item: Item): ListedEntry {
  const entry = item as unknown as LogEntry;
  const { timeMs, organization, neuron, version, outcome, status, code, sourceIp, username, keyId } = entry;
  const { reason, cache, latencyMs, tokensInput, tokensOutput, costMicrodollars, count, restored } = entry;
  return {
    // Indexes do not repeat it: the sort key, which every one of them has, ends with it.
    executionId: executionIdOfKey(String(item['sk'])),
    ...{ timeMs, organization, neuron, version, outcome, status, code, sourceIp, username, keyId },
    ...{ reason, cache, latencyMs, tokensInput, tokensOutput, costMicrodollars, count, restored },
  };
}

/** Model calls stay as they are: what is summed up is read from the stream without unpacking. */
function pack({ input, output, trace, ...rest }: LogEntry): Item {
  const texts = { input, output, trace };
  const json = JSON.stringify(texts);
  const isLarge = Buffer.byteLength(json) > PACK_ABOVE_BYTES;
  return { ...rest, ...(isLarge ? { packed: new Uint8Array(gzipSync(json)) } : texts) };
}

/** About what DynamoDB counts: as JSON, names and structure take at least as much as there. */
function sizeOf({ packed, ...rest }: Item): number {
  return Buffer.byteLength(JSON.stringify(rest)) + (packed instanceof Uint8Array ? packed.byteLength : 0);
}
