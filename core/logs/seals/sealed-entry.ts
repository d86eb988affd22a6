// An entry as a line of a seal, and the chain to which an item of the log table belongs.
import {
  type EntryToSeal,
  type Json,
  SERVICE_CHAIN,
  type SealedEntry,
  type StoredRecord,
} from '../../ports/seals.ts';
import { digestRecord } from './entry-digest.ts';

/** `putAt`: seconds since the Unix epoch, as the stream gives them. Takes any item: what someone put by hand is sealed as well. */
export function toSealedEntry(record: StoredRecord, putAt: number): SealedEntry {
  const { pk, sk, expiresAt } = record;
  return {
    ...{ pk: String(pk), sk: String(sk), putAt },
    expiresAt: typeof expiresAt === 'number' ? expiresAt : null,
    ...digestRecord(record),
  };
}

/** The same as a line for the chain that it belongs to. */
export function toSeal(record: StoredRecord, putAt: number): EntryToSeal {
  return { chain: chainOf(record), line: renderSealedEntry(toSealedEntry(record, putAt)) };
}

/** An item without an organization belongs to the service. */
export function chainOf({ organizationId }: StoredRecord): string {
  return typeof organizationId === 'string' && CHAIN.test(organizationId) ? organizationId : SERVICE_CHAIN;
}

/** Of an id. What someone put by hand must not make a key that DynamoDB refuses, or the stream would stop at it. */
const CHAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** One line, without its end. */
export function renderSealedEntry({ pk, sk, putAt, expiresAt, digest, hints }: SealedEntry): string {
  return JSON.stringify([pk, sk, putAt, expiresAt, digest, hints]);
}

/** The lines of a seal; undefined where one is not such a line. */
export function parseSealedEntries(lines: string): readonly SealedEntry[] | undefined {
  const entries = lines.split('\n').map(parseLine);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function parseLine(line: string): SealedEntry | undefined {
  let parts: Json;
  try {
    parts = JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [pk, sk, putAt, expiresAt, digest, hints] = parts as readonly Json[];
  if (typeof pk !== 'string' || typeof sk !== 'string' || typeof putAt !== 'number') return undefined;
  if (typeof expiresAt !== 'number' && expiresAt !== null) return undefined;
  if (typeof digest !== 'string' || typeof hints !== 'string') return undefined;
  return { pk, sk, putAt, expiresAt, digest, hints };
}

/** What a finding names an item by: its time, and the id that its sort key ends with. The time before it holds no `#`. */
export function nameOfKey(sk: string): { readonly time: string; readonly id: string } {
  const at = sk.indexOf('#');
  return at === -1 ? { time: '', id: sk } : { time: sk.slice(0, at), id: sk.slice(at + 1) };
}
