// Keys of the log table: buckets of one hour, split into shards, so that a busy neuron does not overload one partition.
import { createHash } from 'node:crypto';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { toIso } from '../../core/time/iso.ts';

export const HOUR_MS = 3_600_000;

/** `2026-11-21T04`, UTC. */
export function hourOf(timeMs: number): string {
  return toIso(timeMs).slice(0, 13);
}

/** By the execution id only, so that an entry that is put again has the same key. */
function shardOf(executionId: string, shards: number): number {
  return shards === 1 ? 0 : createHash('sha256').update(executionId).digest().readUInt32BE(0) % shards;
}

export function bucketKey(ownerId: string, hour: string, shard: number): string {
  return `${ownerId}#${hour}#${shard}`;
}

/** The partition of a user's hour. The username may hold any character, so nothing comes after it. */
export function userBucketKey(ownerId: string, hour: string, shard: number, username: string): string {
  return `${bucketKey(ownerId, hour, shard)}#${username}`;
}

/** True for a partition of the table that holds this neuron's entries. */
export function isBucketOf(neuronId: string, key: unknown): boolean {
  return typeof key === 'string' && key.startsWith(`${neuronId}#`);
}

/** Sorts by time, then by execution. The same entry always has the same key. */
export function sortKey(timeMs: number, executionId: string): string {
  return `${toIso(timeMs)}#${executionId}`;
}

/** The execution id that a sort key ends with; the time before it holds no `#`. */
export function executionIdOfKey(sort: string): string {
  return sort.slice(sort.indexOf('#') + 1);
}

/** All key attributes of an entry. Only refused and failed ones have `failureHour`, which keeps its index small. */
export function entryKeys(entry: LogEntry, shards: number): Record<string, string> {
  const hour = hourOf(entry.timeMs);
  const shard = shardOf(entry.executionId, shards);
  const ofOrganization = bucketKey(entry.organizationId, hour, shard);
  const failed = entry.outcome === 'failed' || entry.outcome === 'refused';
  return {
    pk: bucketKey(entry.neuronId, hour, shard),
    sk: sortKey(entry.timeMs, entry.executionId),
    organizationHour: ofOrganization,
    // By organization, so that failures of deleted neurons are found as well.
    ...(failed ? { failureHour: ofOrganization } : {}),
    ...(entry.username === undefined
      ? {}
      : { usernameHour: userBucketKey(entry.organizationId, hour, shard, entry.username) }),
  };
}
