// Keys of the log table: buckets of one hour, split into shards, so that a hot neuron does not heat one partition.
import type { LogEntry } from '../../core/logs/entry.ts';

/** How many shards an hour of a neuron has; one until a neuron needs more. */
export const LOG_SHARDS = 1;
export const HOUR_MS = 3_600_000;

/** `2026-11-21T04`, UTC. */
export function hourOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 13);
}

/** The partition of an hour: an owner's id, the hour, the shard. */
export function bucketKey(ownerId: string, hour: string, shard: number): string {
  return `${ownerId}#${hour}#${shard}`;
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
export function entryKeys(entry: LogEntry): Record<string, string> {
  const hour = hourOf(entry.timeMs);
  const shard = 0;
  const failed = entry.outcome === 'failed' || entry.outcome === 'refused';
  return {
    pk: bucketKey(entry.neuronId, hour, shard),
    sk: sortKey(entry.timeMs, entry.executionId),
    organizationHour: bucketKey(entry.organizationId, hour, shard),
    ...(failed ? { failureHour: bucketKey(entry.neuronId, hour, shard) } : {}),
    // The username comes last: it may hold any character, and nothing after it could be mistaken for it.
    ...(entry.username === undefined
      ? {}
      : { usernameHour: `${bucketKey(entry.organizationId, hour, shard)}#${entry.username}` }),
  };
}
