// Reads a table's stream for one mapping, from its last position.

import { localFailure } from '../failure.ts';
import { MAX_PAYLOAD_BYTES } from '../functions/outcome.ts';
import type { CallDynamoDb, DynamoDbError } from './call.ts';
import type { StreamMapping } from './mapping.ts';
import type { Positions } from './positions.ts';

/** A change, as a function gets it (Lambda Developer Guide, "Example DynamoDB event"). */
export interface StreamRecord {
  readonly eventName: string;
  readonly dynamodb: {
    readonly SequenceNumber: string;
    readonly ApproximateCreationDateTime?: number;
    readonly OldImage?: Readonly<Record<string, { readonly N?: string }>>;
  };
  readonly [member: string]: unknown;
}

export interface ShardReader {
  listShards(): Promise<readonly string[]>;
  /** The next batch; the same one until it is marked as done. */
  read(shard: string): Promise<readonly StreamRecord[]>;
  markDone(shard: string, last: StreamRecord): void;
  /** After an error: starts from the stored positions. */
  reset(): void;
}

interface Shard {
  readonly ShardId: string;
  readonly SequenceNumberRange?: { readonly EndingSequenceNumber?: string };
}

/** New shards appear after hours, if at all. */
const LIST_EVERY_MS = 20_000;

export function createShardReader(
  mapping: StreamMapping,
  call: CallDynamoDb,
  positions: Positions,
): ShardReader {
  let stream: string | undefined;
  let shards: readonly string[] = [];
  let listedAt = 0;
  const iterators = new Map<string, string | undefined>();
  const listShards = async () => {
    if (stream !== undefined && Date.now() - listedAt < LIST_EVERY_MS) return shards;
    const before = stream;
    stream = await findStream(mapping.table.name, call);
    if (stream !== before) iterators.clear();
    const found = await describeShards(stream, call);
    if (mapping.startingPosition === 'LATEST') skipOld(mapping.id, stream, found, positions);
    shards = found.map(({ ShardId }) => ShardId);
    listedAt = Date.now();
    return shards;
  };
  return {
    listShards,
    read: async (shard) => {
      const from = stream ?? '';
      if (!iterators.has(shard))
        iterators.set(shard, await startIterator(mapping.id, from, shard, call, positions));
      const iterator = iterators.get(shard);
      if (iterator === undefined) return [];
      const { Records, NextShardIterator } = await call<{
        Records: readonly StreamRecord[];
        NextShardIterator?: string;
      }>('GetRecords', { ShardIterator: iterator, Limit: mapping.batchSize });
      if (Records.length === 0) iterators.set(shard, NextShardIterator);
      else iterators.delete(shard);
      return withinPayload(Records.map((record) => toEventRecord(record, mapping)));
    },
    markDone: (shard, last) => positions.set(mapping.id, stream ?? '', shard, last.dynamodb.SequenceNumber),
    reset: () => {
      stream = undefined;
      iterators.clear();
    },
  };
}

/**
 * The first records, as many as fit into an event and at least one; the others are read again (Lambda Developer Guide, "Batching
 * behavior": a batch ends with the payload limit of 6 MB).
 */
function withinPayload(records: readonly StreamRecord[]): readonly StreamRecord[] {
  let bytes = '{"Records":[]}'.length;
  const beyond = records.findIndex((record) => {
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    return bytes > MAX_PAYLOAD_BYTES;
  });
  return beyond === -1 ? records : records.slice(0, Math.max(1, beyond));
}

async function findStream(table: string, call: CallDynamoDb): Promise<string> {
  const { Table } = await call<{ Table: { LatestStreamArn?: string } }>('DescribeTable', {
    TableName: table,
  });
  if (Table.LatestStreamArn !== undefined) return Table.LatestStreamArn;
  throw localFailure('ENGINE_FAILED', `the table ${table} has no stream in the engine`);
}

async function describeShards(stream: string, call: CallDynamoDb): Promise<readonly Shard[]> {
  const shards: Shard[] = [];
  let from: string | undefined;
  do {
    const { StreamDescription: page } = await call<{
      StreamDescription: { Shards?: readonly Shard[]; LastEvaluatedShardId?: string };
    }>('DescribeStream', {
      StreamArn: stream,
      ...(from === undefined ? {} : { ExclusiveStartShardId: from }),
    });
    shards.push(...(page.Shards ?? []));
    from = page.LastEvaluatedShardId;
  } while (from !== undefined);
  return shards;
}

// LATEST means the time at which the mapping was created: changes while the runner is down are delivered.
function skipOld(mapping: string, stream: string, shards: readonly Shard[], positions: Positions): void {
  for (const { ShardId, SequenceNumberRange } of shards) {
    if (positions.get(mapping, stream, ShardId) !== undefined) continue;
    positions.set(mapping, stream, ShardId, SequenceNumberRange?.EndingSequenceNumber ?? '0');
  }
}

async function startIterator(
  mapping: string,
  stream: string,
  shard: string,
  call: CallDynamoDb,
  positions: Positions,
): Promise<string | undefined> {
  const place = { StreamArn: stream, ShardId: shard };
  const getIterator = async (input: object) => {
    const { ShardIterator } = await call<{ ShardIterator?: string }>('GetShardIterator', {
      ...place,
      ...input,
    });
    return ShardIterator;
  };
  const position = positions.get(mapping, stream, shard);
  if (position === undefined) return getIterator({ ShardIteratorType: 'TRIM_HORIZON' });
  try {
    return await getIterator({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position });
  } catch (error) {
    // Records are kept for a day.
    if ((error as DynamoDbError).code !== 'TrimmedDataAccessException') throw error;
    return getIterator({ ShardIteratorType: 'TRIM_HORIZON' });
  }
}

function toEventRecord(record: StreamRecord, { table, streamArn }: StreamMapping): StreamRecord {
  const region = streamArn.split(':')[3];
  const isExpired = isExpiry(record, table.timeToLive);
  return {
    ...record,
    awsRegion: region,
    eventSourceARN: streamArn,
    ...(isExpired ? { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } } : {}),
  };
}

// DynamoDB marks deletions of its time to live; here an expired item is taken for one.
function isExpiry({ eventName, dynamodb }: StreamRecord, attribute: string | undefined): boolean {
  if (eventName !== 'REMOVE' || attribute === undefined) return false;
  const time = dynamodb.OldImage?.[attribute]?.N;
  return time !== undefined && Number(time) <= (dynamodb.ApproximateCreationDateTime ?? 0);
}
