// Keys of the log table: buckets of one hour, split into shards, so that a hot neuron does not heat one partition.
import { createHash } from 'node:crypto';
import type { LogEntry } from '../../core/contract/log-entry.ts';

export const HOUR_MS = 3_600_000;

/** `2026-11-21T04`, UTC. */
export function hourOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 13);
}

/** The shard of an entry, by its execution id alone: the same entry has the same key whenever it is put. */
function shardOf(executionId: string, shards: number): number {
  return shards === 1 ? 0 : createHash('sha256').update(executionId).digest().readUInt32BE(0) % shards;
}

/** The partition of an hour: an owner's id, the hour, the shard. */
export function bucketKey(ownerId: string, hour: string, shard: number): string {
  return `${ownerId}#${hour}#${shard}`;
}

/** The partition of a user's hour. The username comes last: it may hold any character, and nothing after it could be mistaken for it. */
export function userBucketKey(ownerId: string, hour: string, shard: number, username: string): string {
  return `${bucketKey(ownerId, hour, shard)}#${username}`;
}

/** True for a partition of the table that holds this neuron's entries. */
export function isBucketOf(neuronId: string, key: unknown): boolean {
  return typeof key === 'string' && key.startsWith(`${neuronId}#`);
}

/** Sorts by time, then by execution; made of the request's own facts, so that the same entry has the same key. */
export function sortKey(timeMs: number, executionId: string): string {
  return `${new Date(timeMs).toISOString()}#${executionId}`;
}

/** The execution id that a sort key ends with; the time before it holds no `#`. */
export function executionIdOfKey(sort: string): string {
  return sort.slice(sort.indexOf('#') + 1);
}

/** Every key attribute of an entry. `failureHour` is there only for refusals and failures: a sparse index costs nothing else. */
export function entryKeys(entry: LogEntry, shards: number): Record<string, string> {
  const hour = hourOf(entry.timeMs);
  const shard = shardOf(entry.executionId, shards);
  const ofOrganization = bucketKey(entry.organizationId, hour, shard);
  const failed = entry.outcome === 'failed' || entry.outcome === 'refused';
  return {
    pk: bucketKey(entry.neuronId, hour, shard),
    sk: sortKey(entry.timeMs, entry.executionId),
    organizationHour: ofOrganization,
    // By organization, so that the failures of a neuron that has been deleted since are found as well.
    ...(failed ? { failureHour: ofOrganization } : {}),
    ...(entry.username === undefined
      ? {}
      : { usernameHour: userBucketKey(entry.organizationId, hour, shard, entry.username) }),
  };
}
