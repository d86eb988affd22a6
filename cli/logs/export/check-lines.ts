// Checks the lines of an export against themselves and the manifest: what a reader sees must be what was sealed.

import { OUTCOME_SUFFIX } from '../../../core/contract/tables.ts';
import { isChangeKey, nameOfKey } from '../../../core/logs/seals/sealed-entry.ts';
import {
  comparePositions,
  type StoredEntry,
  type StoredPosition,
  type StoredType,
} from '../../../core/ports/stored-entries.ts';
import { sameDocument } from '../../../core/text/canonical-json.ts';
import { type ExportedEntry, toExportedEntry, toStoredRecord } from './exported-entry.ts';
import type { ExportManifest } from './manifest.ts';
import type { ManifestProblem } from './parse-manifest.ts';

/** A line that no export writes. */
export interface BadLine {
  readonly kind: 'line';
  readonly time: string;
  readonly id: string;
  readonly problem: string;
}

/** Goes over the lines once. */
export interface LineChecks {
  check(line: ExportedEntry): StoredEntry;
  /** Bad lines since the last time. */
  take(): readonly BadLine[];
  /** To be called after the last line: members of the manifest that say otherwise. */
  finish(): readonly ManifestProblem[];
}

export function createLineChecks(manifest: ExportManifest): LineChecks {
  const { from, to, startedAt } = manifest;
  const startedMs = Date.parse(startedAt);
  const counts: Record<StoredType, number> = { call: 0, change: 0, outcome: 0 };
  let previous: StoredPosition | undefined;
  let found: BadLine[] = [];

  function findProblems(line: ExportedEntry, entry: StoredEntry): readonly string[] {
    const { sk, record } = entry;
    const { expiresAt } = record;
    const isOrdered = previous === undefined || comparePositions(previous, entry) < 0;
    const hadExpired = typeof expiresAt === 'number' && expiresAt * 1000 <= startedMs;
    return [
      ...(sameDocument(line, toExportedEntry(entry))
        ? []
        : ['shows other members than the item that was sealed']),
      ...(isOrdered ? [] : ['is there twice or out of order']),
      ...(sk >= from && sk < to ? [] : ['is outside the period of the manifest']),
      ...(hadExpired ? ['had expired when the manifest says that the export was begun'] : []),
    ];
  }

  return {
    check(line) {
      const entry = toStoredEntry(line);
      const { time, id } = nameOfKey(entry.sk);
      found.push(
        ...findProblems(line, entry).map((problem): BadLine => ({ kind: 'line', time, id, problem })),
      );
      counts[entry.type] += 1;
      previous = { pk: entry.pk, sk: entry.sk };
      return entry;
    },
    take() {
      const taken = found;
      found = [];
      return taken;
    },
    finish: () =>
      (Object.keys(counts) as StoredType[])
        .filter((type) => counts[type] !== manifest.entries[type])
        .map((type) => ({ member: `entries.${type}`, problem: `the file has ${counts[type]}` })),
  };
}

/** The type follows from the keys, whatever the line says. */
export function toStoredEntry(line: ExportedEntry): StoredEntry {
  const record = toStoredRecord(line);
  const [pk, sk] = [String(record['pk']), String(record['sk'])];
  const type = !isChangeKey(pk) ? 'call' : sk.endsWith(OUTCOME_SUFFIX) ? 'outcome' : 'change';
  return { type, pk, sk, record };
}
