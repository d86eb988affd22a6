// The digest of a stored log entry, and hints that show which of its attributes were changed. Format 1 of docs/logs.md.
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
const HINT_LENGTH = 2;
/** Pairs of attributes that are compared at most: an item put by hand may have 100,000 of them. */
const MAX_COMPARED = 1_000_000;

/** Digests a record as it is stored. Every attribute counts, its time to live included. */
export function digestRecord(record: StoredRecord): EntryDigest {
  const fields = namesOf(record).map((name) => digestField(record, name));
  const digest = fields
    .reduce((entry, field) => entry.update(field), createHash('sha256').update(`${ENTRY_DOMAIN}\n`))
    .digest('base64url');
  return { digest, hints: hintsOf(record, fields) };
}

/** The attributes that differ from the sealed record. Removed ones are only counted, since hints hold no names. */
export interface FieldDifferences {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: number;
}

/**
 * Compares a changed record with the hints of the sealed one. Undefined where hints cannot tell: without a salt, with another one, or
 * when 12 bits of a changed attribute happen to be equal.
 */
export function findDifferences(record: StoredRecord, hints: string): FieldDifferences | undefined {
  const names = namesOf(record);
  const sealed = splitHints(hints);
  if (sealed.length === 0 || sealed.length * names.length > MAX_COMPARED) return undefined;
  const current = splitHints(
    hintsOf(
      record,
      names.map((name) => digestField(record, name)),
    ),
  );
  const kept = longestCommon(current, sealed);
  // With another salt every hint differs, whatever the attributes are.
  if (kept.length === 0) return undefined;
  const differences = collectGaps(names, kept, sealed.length);
  const { changed, added, removed } = differences;
  return changed.length + added.length + removed === 0 ? undefined : differences;
}

/** In the order of code units, which no locale changes. */
function namesOf(record: StoredRecord): readonly string[] {
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

function splitHints(hints: string): readonly string[] {
  return hints.match(new RegExp(`.{${HINT_LENGTH}}`, 'g')) ?? [];
}

/** Pairs of indexes with equal hints: a longest common subsequence, so that one attribute more or less shifts nothing. */
function longestCommon(current: readonly string[], sealed: readonly string[]): readonly [number, number][] {
  const lengths = Array.from({ length: current.length + 1 }, () =>
    new Array<number>(sealed.length + 1).fill(0),
  );
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = current.length - 1; row >= 0; row -= 1)
    for (let column = sealed.length - 1; column >= 0; column -= 1) {
      const line = lengths[row];
      if (line === undefined) continue;
      line[column] =
        current[row] === sealed[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < current.length && column < sealed.length; ) {
    if (current[row] === sealed[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Between two unchanged attributes: equally many present and sealed ones were changed; otherwise some were added or removed. */
function collectGaps(
  names: readonly string[],
  kept: readonly [number, number][],
  sealedCount: number,
): FieldDifferences {
  const changed: string[] = [];
  const added: string[] = [];
  let removed = 0;
  let [row, column] = [0, 0];
  for (const [keptRow, keptColumn] of [...kept, [names.length, sealedCount] as const]) {
    const present = names.slice(row, keptRow);
    const gone = keptColumn - column;
    const isChange = present.length === gone;
    // One by one: an item may have a hundred thousand attributes, more than a call takes arguments.
    for (const name of present) (isChange ? changed : added).push(name);
    if (!isChange) removed += gone;
    [row, column] = [keptRow + 1, keptColumn + 1];
  }
  return { changed, added, removed };
}
