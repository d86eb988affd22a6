// The stream of the log table as Lambda passes it on, and the answer that says where to begin again.
import type { AttributeValue, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { isCountable } from '../../core/ports/countable-entry.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import type { PlacedEntry } from '../../core/ports/usage.ts';
import { toLogEntry } from './log-items.ts';
import { toStoredRecord } from './seals/stored-record.ts';
import { logShardOf } from './usage-items.ts';

/** A new item of the table. */
interface StreamedEntry {
  readonly sequenceNumber: string;
  readonly putAtMs: number;
  readonly record: StoredRecord;
  /** Undefined for a change by an operator, and for an item that cannot be counted. */
  readonly entry: (PlacedEntry & Pick<LogEntry, 'organization'>) | undefined;
}

/** `unreadable` counts entries that cannot be counted: they lack a member, or have an amount that no call has. */
interface StreamedEntries {
  readonly entries: readonly StreamedEntry[];
  readonly unreadable: number;
}

/**
 * New items, in the order of the stream. All other records are passed over: entries never change, and expired ones stay counted.
 * Items without an execution are changes by operators (Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB").
 */
export function readLogStream({ Records }: DynamoDBStreamEvent): StreamedEntries {
  const entries: StreamedEntry[] = [];
  let unreadable = 0;
  for (const record of Records) {
    const image = record.eventName === 'INSERT' ? record.dynamodb?.NewImage : undefined;
    if (image === undefined) continue;
    const streamed = toStreamedEntry(record, image);
    if (streamed !== undefined) entries.push(streamed);
    if (streamed?.entry === undefined && image['executionId'] !== undefined) unreadable += 1;
  }
  return { entries, unreadable };
}

/** Lambda counts every record before this one as done (Developer Guide, "Configuring partial batch response with DynamoDB"). */
export function beginAgainAt(sequenceNumber: string): DynamoDBBatchResponse {
  return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
}

export const ALL_DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

function toStreamedEntry(
  { dynamodb }: DynamoDBRecord,
  image: Readonly<Record<string, AttributeValue>>,
): StreamedEntry | undefined {
  const { SequenceNumber: sequenceNumber, ApproximateCreationDateTime: putAt } = dynamodb ?? {};
  if (sequenceNumber === undefined || putAt === undefined) return undefined;
  // The stream gives seconds.
  return {
    sequenceNumber,
    putAtMs: putAt * 1000,
    record: toStoredRecord(image),
    entry: toPlacedEntry(image),
  };
}

/** The entry of an item; undefined for a change, and for one that cannot be counted. Bytes are passed over. */
export function toPlacedEntry(image: Readonly<Record<string, AttributeValue>>): StreamedEntry['entry'] {
  if (image['executionId'] === undefined) return undefined;
  const { packed: _packed, ...counted } = image;
  const entry = toLogEntry(
    Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, plain(value)])),
  );
  return isCountable(entry) ? { ...entry, logShard: logShardOf(image['pk']?.S) } : undefined;
}

/** An attribute value as a plain one; the types that entries do not use are left out. */
function plain(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  if (value.L !== undefined) return value.L.map(plain);
  if (value.M === undefined) return undefined;
  return Object.fromEntries(Object.entries(value.M).map(([name, member]) => [name, plain(member)]));
}
