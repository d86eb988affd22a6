// The digest of a stored log entry, and hints by which core/admin/verify-log/differences.ts names changed attributes. Format 1 of docs/logs.md.
import { createHash, hash } from 'node:crypto';
import type { Json, StoredRecord } from '../../ports/seals.ts';
import { canonicalJson } from '../../text/canonical-json.ts';

export interface EntryDigest {
  /** SHA-256 over the digests of all attributes in order of their names; base64url, 43 characters. */
  readonly digest: string;
  /** The first two base64url characters (12 bits) of each attribute's digest, in that order; empty where the entry has no salt. */
  readonly hints: string;
}

const FIELD_DOMAIN = 'neuron-log-field/1';
const ENTRY_DOMAIN = 'neuron-log-entry/1';
export const HINT_LENGTH = 2;

/** Digests a record as it is stored. Every attribute counts, its time to live included. */
export function digestRecord(record: StoredRecord): EntryDigest {
  const fields = namesOf(record).map((name) => digestField(record, name));
  const digest = fields
    .reduce((entry, field) => entry.update(field), createHash('sha256').update(`${ENTRY_DOMAIN}\n`))
    .digest('base64url');
  return { digest, hints: hintsOf(record, fields) };
}

/** In the order of code units, which no locale changes. */
export function namesOf(record: StoredRecord): readonly string[] {
  return Object.keys(record).sort((one, other) => (one < other ? -1 : 1));
}

/** The salt, which only the entry has, keeps a seal from revealing short values such as addresses after the entry is gone. */
function digestField(record: StoredRecord, name: string): Buffer {
  const { salt = null } = record;
  const value: Json = record[name] ?? null;
  return hash('sha256', canonicalJson([FIELD_DOMAIN, salt, name, value]), 'buffer');
}

function hintsOf(record: StoredRecord, fields: readonly Buffer[]): string {
  if (record['salt'] === undefined) return '';
  return fields.map((field) => field.toString('base64url').slice(0, HINT_LENGTH)).join('');
}
