// Turns an item of the log table into a line of a seal of its chain, and back; its keys tell the chain, the time and the id.

import { CHANGES_PARTITION } from '../../contract/tables.ts';
import {
  type EntryToSeal,
  type Json,
  SERVICE_CHAIN,
  type SealedEntry,
  type StoredRecord,
} from '../../ports/seals.ts';
import { parseJson } from '../../text/json.ts';
import { digestRecord } from './entry-digest.ts';

/** With a salted SHA-256 of all attributes. `putAt`: seconds since the Unix epoch, from the stream. Takes any item, put by hand too. */
export function toSealedEntry(record: StoredRecord, putAt: number): SealedEntry {
  const { pk, sk, expiresAt } = record;
  return {
    pk: String(pk),
    sk: String(sk),
    putAt,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : null,
    ...digestRecord(record),
  };
}

/** The line of an item, and its chain. */
export function toEntryToSeal(record: StoredRecord, putAt: number): EntryToSeal {
  return { chain: chainOf(record), line: renderSealedEntry(toSealedEntry(record, putAt)) };
}

/** The chain of the partition in which lists find the item. One that no list finds, or without an organization, belongs to the service. */
export function chainOf(record: StoredRecord): string {
  const organizationId = isChangeKey(record['pk'])
    ? record['pk'] !== CHANGES_PARTITION && record['organizationId']
    : (listedOrganization(record) ?? record['organizationId']);
  return typeof organizationId === 'string' && CHAIN.test(organizationId) ? organizationId : SERVICE_CHAIN;
}

/** The form of an id. An item put by hand must not make a key that DynamoDB rejects: the stream would stop at it. */
const CHAIN = /^[A-Za-z0-9_-]{1,64}$/;

/** One line, without its end. */
export function renderSealedEntry({ pk, sk, putAt, expiresAt, digest, hints }: SealedEntry): string {
  return JSON.stringify([pk, sk, putAt, expiresAt, digest, hints]);
}

/** Parses the lines of a seal; undefined where one is malformed. */
export function parseSealedEntries(lines: string): readonly SealedEntry[] | undefined {
  const entries = lines.split('\n').map(parseLine);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function parseLine(line: string): SealedEntry | undefined {
  const parts = parseJson(line);
  if (!Array.isArray(parts)) return undefined;
  const [pk, sk, putAt, expiresAt, digest, hints] = parts as readonly Json[];
  if (typeof pk !== 'string' || typeof sk !== 'string' || typeof putAt !== 'number') return undefined;
  if (typeof expiresAt !== 'number' && expiresAt !== null) return undefined;
  if (typeof digest !== 'string' || typeof hints !== 'string') return undefined;
  return { pk, sk, putAt, expiresAt, digest, hints };
}

/** An entry's partition, or that of an index: owner, hour, shard. */
export const BUCKET = /^([^#]+)#(\d{4}-\d\d-\d\dT\d\d)#(0|[1-9]\d{0,3})$/;

/** True for a partition of changes by operators. */
export function isChangeKey(pk: Json | undefined): boolean {
  return typeof pk === 'string' && (pk === CHANGES_PARTITION || pk.startsWith(`${CHANGES_PARTITION}#`));
}

/** The organization's id by which an index lists a call; undefined for an item that no index lists so. */
export function listedOrganization({ organizationHour }: StoredRecord): string | undefined {
  return typeof organizationHour === 'string' ? BUCKET.exec(organizationHour)?.[1] : undefined;
}

/** Time and id of an item, from its sort key; the time contains no `#`. */
export function nameOfKey(sk: string): { readonly time: string; readonly id: string } {
  const at = sk.indexOf('#');
  return at === -1 ? { time: '', id: sk } : { time: sk.slice(0, at), id: sk.slice(at + 1) };
}
