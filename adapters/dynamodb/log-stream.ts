// The stream of the log table as Lambda hands it over, and the answer that says where to begin again.
import type { AttributeValue, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { CountedEntry } from '../../core/ports/usage.ts';
import { toLogEntry } from './log-items.ts';

/** An entry that was put, with its place in the stream. */
interface StreamedEntry {
  readonly sequenceNumber: string;
  readonly putAtMs: number;
  readonly entry: CountedEntry;
}

/** What a batch holds. `unreadable`: records of requests that lack what counting needs. */
interface StreamedEntries {
  readonly entries: readonly StreamedEntry[];
  readonly unreadable: number;
}

/**
 * Entries of requests that were put, in the order of the stream. Entries are never changed, and what time to live deletes stays counted,
 * so other records say nothing; neither do items without an execution, which are changes by operators.
 * (Lambda Developer Guide, "Using AWS Lambda with Amazon DynamoDB")
 */
export function readLogStream({ Records }: DynamoDBStreamEvent): StreamedEntries {
  const entries: StreamedEntry[] = [];
  let unreadable = 0;
  for (const record of Records) {
    const image = record.eventName === 'INSERT' ? record.dynamodb?.NewImage : undefined;
    if (image?.['executionId'] === undefined) continue;
    const entry = toStreamedEntry(record, image);
    if (entry === undefined) unreadable += 1;
    else entries.push(entry);
  }
  return { entries, unreadable };
}

/** Lambda takes every record before this one as done (Developer Guide, "Configuring partial batch response with DynamoDB"). */
export function beginAgainAt(sequenceNumber: string): DynamoDBBatchResponse {
  return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
}

/** Everything is done. */
export const ALL_DONE: DynamoDBBatchResponse = { batchItemFailures: [] };

function toStreamedEntry(
  { dynamodb }: DynamoDBRecord,
  image: Readonly<Record<string, AttributeValue>>,
): StreamedEntry | undefined {
  const { SequenceNumber: sequenceNumber, ApproximateCreationDateTime: putAt } = dynamodb ?? {};
  const { packed: _packed, ...counted } = image;
  const entry = toLogEntry(
    Object.fromEntries(Object.entries(counted).map(([name, value]) => [name, plain(value)])),
  );
  if (sequenceNumber === undefined || putAt === undefined || !isCountable(entry)) return undefined;
  // Seconds, as the stream gives them.
  return { sequenceNumber, putAtMs: putAt * 1000, entry };
}

const OUTCOMES: readonly unknown[] = ['success', 'stopped', 'failed', 'refused'];

function isCountable(entry: CountedEntry): boolean {
  const texts: readonly unknown[] = [entry.executionId, entry.organizationId, entry.neuronId, entry.neuron];
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
    numbers.every((value) => Number.isSafeInteger(value)) &&
    (entry.costMicrodollars === null || Number.isSafeInteger(entry.costMicrodollars)) &&
    OUTCOMES.includes(entry.outcome) &&
    Array.isArray(entry.modelCalls)
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
