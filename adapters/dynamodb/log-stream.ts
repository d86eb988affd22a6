// The stream of the log table as Lambda passes it on, and the answer that says where to begin again.
import type { AttributeValue, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { LogEntry, LoggedModelCall } from '../../core/contract/log-entry.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import type { PlacedEntry } from '../../core/ports/usage.ts';
import { toLogEntry } from './log-items.ts';
import { toStoredRecord } from './seals/stored-record.ts';
import { logShardOf } from './usage-items.ts';

/** A new item of the table. */
interface StreamedEntry {
  readonly sequenceNumber: string;
  readonly putAtMs: number;
  /** The item as it is stored. */
  readonly record: StoredRecord;
  /** Undefined for a change by an operator, and for an item that lacks what counting needs. */
  readonly entry: (PlacedEntry & Pick<LogEntry, 'organization'>) | undefined;
}

/** `unreadable` counts entries that lack a member that counting needs. */
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
  return { sequenceNumber, putAtMs: putAt * 1000, record: toStoredRecord(image), entry: toCounted(image) };
}

function toCounted(image: Readonly<Record<string, AttributeValue>>): StreamedEntry['entry'] {
  if (image['executionId'] === undefined) return undefined;
  const { packed: _packed, ...counted } = image;
  const entry = toLogEntry(
    Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, plain(value)])),
  );
  return isCountable(entry) ? { ...entry, logShard: logShardOf(image['pk']?.S) } : undefined;
}

const OUTCOMES: readonly unknown[] = ['success', 'stopped', 'failed', 'refused'];

/** The latest time of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;
/** Bytes of a model and its provider: a sort key of the usage table has at most 1,024 with the rest of it. */
const MAX_MODEL_BYTES = 900;
/** An id, as the service makes them. */
const ID = /^[\w-]{1,64}$/;

/** False for an item that someone put by hand and whose usage DynamoDB would reject: the stream would stop at it. */
function isCountable(entry: LogEntry): boolean {
  const texts: readonly unknown[] = [entry.executionId, entry.neuron];
  const ids: readonly unknown[] = [entry.organizationId, entry.neuronId, entry.keyId ?? 'none'];
  const timesMs = [entry.timeMs, entry.expiresAt * 1000];
  const numbers: readonly unknown[] = [
    entry.timeMs,
    entry.expiresAt,
    entry.count,
    entry.tokensInput,
    entry.tokensOutput,
    entry.savingsMicrodollars,
  ];
  return (
    texts.every((value) => typeof value === 'string') &&
    ids.every((value) => typeof value === 'string' && ID.test(value)) &&
    timesMs.every((timeMs) => Math.abs(timeMs) <= MAX_TIME_MS) &&
    (entry.username === undefined || typeof entry.username === 'string') &&
    numbers.every((value) => Number.isSafeInteger(value)) &&
    (entry.costMicrodollars === null || Number.isSafeInteger(entry.costMicrodollars)) &&
    OUTCOMES.includes(entry.outcome) &&
    Array.isArray(entry.modelCalls) &&
    entry.modelCalls.every(isCountableCall)
  );
}

function isCountableCall(call: Partial<LoggedModelCall> | null | undefined): boolean {
  const { provider, model, tokensInput, tokensOutput, costMicrodollars } = call ?? {};
  const numbers = [tokensInput, tokensOutput, costMicrodollars ?? 0];
  return (
    typeof provider === 'string' &&
    typeof model === 'string' &&
    Buffer.byteLength(`${provider}/${model}`) <= MAX_MODEL_BYTES &&
    numbers.every((value) => Number.isFinite(value))
  );
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
