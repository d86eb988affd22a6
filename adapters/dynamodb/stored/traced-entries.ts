// Entries of requests in the stream of the log table, from which traces are made.
import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { unpack } from '../log-items.ts';
import { toStoredRecord } from '../seals/stored-record.ts';

/** `unreadable` counts entries that lack a member that a trace needs. */
interface TracedEntries {
  readonly entries: readonly LogEntry[];
  readonly unreadable: number;
}

/** New entries, without changes by operators. */
export function readTracedEntries({ Records }: DynamoDBStreamEvent): TracedEntries {
  const entries: LogEntry[] = [];
  let unreadable = 0;
  for (const { eventName, dynamodb } of Records) {
    const image = eventName === 'INSERT' ? dynamodb?.NewImage : undefined;
    if (image?.['executionId'] === undefined) continue;
    const entry = toEntry(toStoredRecord(image));
    if (entry === undefined) unreadable += 1;
    else entries.push(entry);
  }
  return { entries, unreadable };
}

function toEntry({ packed, ...record }: ReturnType<typeof toStoredRecord>): LogEntry | undefined {
  const entry = { ...unpacked(packed), ...record } as unknown as LogEntry;
  const texts: readonly unknown[] = [entry.executionId, entry.organization, entry.neuron, entry.outcome];
  const numbers: readonly unknown[] = [entry.timeMs, entry.latencyMs, entry.status];
  const isWhole =
    texts.every((value) => typeof value === 'string') &&
    numbers.every((value) => typeof value === 'number') &&
    Array.isArray(entry.modelCalls) &&
    Array.isArray(entry.trace);
  return isWhole ? entry : undefined;
}

function unpacked(packed: unknown): object {
  if (typeof packed !== 'object' || packed === null || !('$binary' in packed)) return {};
  return unpack(Buffer.from(String(packed.$binary), 'base64')) ?? {};
}
