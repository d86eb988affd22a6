// Compares one stored entry with what was sealed of it.

import { digestRecord } from '../../logs/seals/entry-digest.ts';
import { chainOf, nameOfKey } from '../../logs/seals/sealed-entry.ts';
import { ERASED_BY } from '../../ports/personal-data.ts';
import { SERVICE_CHAIN, type SealedEntry, type StoredRecord } from '../../ports/seals.ts';
import type { StoredPosition } from '../../ports/stored-entries.ts';
import { toIso } from '../../time/iso.ts';
import { findContradictions, isRetained } from './contradictions.ts';
import { findDifferences } from './differences.ts';
import type { Discrepancy, NamedEntry } from './discrepancies.ts';
import type { LateDiscrepancy } from './restores.ts';
import type { QueuedEntry } from './sealed-queue.ts';

/** Longer after its own time than the service puts an entry, but for those that `neuron logs restore` puts. */
const LATE_MS = 3_600_000;

/** How long the stream keeps what was put, and an hour for its reader: an entry that is older and not sealed never will be. */
const UNSEALED_MS = 25 * 3_600_000;

/** Entries that came less long before an export may not be in its seals yet: a call lasts up to 4 minutes, and is sealed in seconds. */
const UNSEALED_IN_EXPORT_MS = 15 * 60_000;

/** How far the clock of API Gateway, which times an entry, may be ahead of the stream's. */
const EARLY_MS = 5 * 60_000;

export function compareEntry(sealed: QueuedEntry, record: StoredRecord): readonly Discrepancy[] {
  const { entry, sequence } = sealed;
  if (digestRecord(record).digest === entry.digest) return [];
  const { [ERASED_BY]: erasedBy } = record;
  if (typeof erasedBy === 'string') return [{ kind: 'erased', ...nameEntry(entry), sequence, erasedBy }];
  const differences = findDifferences(record, entry.hints);
  return [{ kind: 'changed', ...nameEntry(entry), sequence, differences }];
}

/** Whether the entry agrees with itself. */
export function findInconsistency(position: StoredPosition, record: StoredRecord): readonly Discrepancy[] {
  const attributes = findContradictions(record);
  return attributes.length === 0 ? [] : [{ kind: 'inconsistent', ...nameEntry(position), attributes }];
}

/** Whether an entry that has expired lived as long as the service lets one: its seal has both times. */
export function findImpossibleRetention({ pk, sk, expiresAt }: SealedEntry): readonly Discrepancy[] {
  if (isRetained({ sk, expiresAt })) return [];
  return [{ kind: 'inconsistent', ...nameEntry({ pk, sk }), attributes: ['expiresAt'] }];
}

/** An entry that lists show among those of an organization, and whose chain is another. */
export function describeForeign(
  position: StoredPosition,
  record: StoredRecord,
  isOtherTime: boolean,
): Discrepancy {
  const chain = chainOf(record);
  return {
    kind: 'foreign',
    ...nameEntry(position),
    organizationId: chain === SERVICE_CHAIN ? null : chain,
    isOtherTime,
  };
}

/** Whether the stream says that it was put before its time. */
export function findEarliness({ entry, sequence }: QueuedEntry): readonly Discrepancy[] {
  const putAtMs = entry.putAt * 1000;
  const isEarly = Date.parse(nameOfKey(entry.sk).time) - putAtMs > EARLY_MS;
  return isEarly ? [{ kind: 'early', ...nameEntry(entry), sequence, putAt: toIso(putAtMs) }] : [];
}

/** By when the stream says it was put; undefined for an entry that was put in its time. */
export function findLateness({ entry, sequence }: QueuedEntry): LateDiscrepancy | undefined {
  const putAtMs = entry.putAt * 1000;
  const isLate = putAtMs - Date.parse(nameOfKey(entry.sk).time) > LATE_MS;
  if (!isLate) return undefined;
  return { kind: 'late', ...nameEntry(entry), sequence, putAt: toIso(putAtMs), restoredBy: null };
}

/** When the log was read, and whether it is an export. */
interface Reading {
  readonly nowMs: number;
  readonly isExport: boolean;
}

/**
 * An entry that no seal has. The stream forgets within a day what it has not delivered: an older one never will be sealed, and is named as
 * one that was put late, without the link and the time that its seal would have.
 */
export function describeUnsealed(position: StoredPosition, { nowMs, isExport }: Reading): Discrepancy {
  const named = nameEntry(position);
  const isOld = nowMs - Date.parse(named.time) > (isExport ? UNSEALED_IN_EXPORT_MS : UNSEALED_MS);
  return isOld
    ? { kind: 'late', ...named, sequence: null, putAt: null, restoredBy: null }
    : { kind: 'unsealed', ...named };
}

/** A sealed entry that is gone before its time. */
export function describeMissing({ entry, sequence }: QueuedEntry): Discrepancy {
  const retainedUntil = entry.expiresAt === null ? null : toIso(entry.expiresAt * 1000);
  return { kind: 'missing', ...nameEntry(entry), sequence, retainedUntil };
}

function nameEntry({ pk, sk }: StoredPosition): NamedEntry {
  return { ...nameOfKey(sk), pk, sk };
}
