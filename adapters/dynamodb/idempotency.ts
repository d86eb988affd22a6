// Records of idempotency keys, each a lease or the answer in its place, in the cache table.
import { gunzipSync, gzipSync } from 'node:zlib';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type IdempotencyStore,
  type Lease,
  parseStoredAnswer,
  type RecordKey,
  type RecordState,
  type StoredAnswer,
} from '../../core/ports/idempotency.ts';
import type { Item } from './client.ts';
import { unlessRejected } from './conditional-write.ts';

/** The share of an item of the 400 KB that DynamoDB allows (amazondynamodb/latest/developerguide/Constraints.html), keys and overhead aside. */
const PART_BYTES = 350_000;

/**
 * The first bytes of an answer, in the item of its key. Each repetition is a rejected write, which costs as much as one of that item: with all of a
 * large answer in it, three a second would use up the writes of a partition, for everybody whose keys are there.
 */
const FIRST_BYTES = 8_000;

/** The last of these: the same lease, which the client sent again because it got no answer. */
const FREE = [
  'attribute_not_exists(pk)',
  'leaseEndsAtMs <= :nowMs',
  'expiresAt <= :now',
  '(heldBy = :token AND attribute_exists(leaseEndsAtMs))',
].join(' OR ');

/** As `FREE` has it, for a request without a lease. */
function isFree({ leaseEndsAtMs, expiresAt }: Item, atMs: number): boolean {
  return Number(leaseEndsAtMs) <= atMs || Number(expiresAt) <= Math.floor(atMs / 1000);
}

/** A key that is released or expires between a rejected write and the read of its record is tried again. */
const MAX_TRIES = 3;

interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/**
 * One item per key: a lease, then the answer in its place. The rest of an answer that no item holds is in items of its own,
 * written before.
 */
export function createIdempotencyStore(client: DynamoDBDocumentClient, table: string): IdempotencyStore {
  const at: Table = { client, table };
  return {
    async acquire(key, lease) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        if (await putLease(at, key, lease)) return { kind: 'acquired' };
        const held = await read(at, key);
        if (held !== undefined) return toRecordState(at, key, held, lease.digest);
      }
      throw new Error('an idempotency key changed hands too often');
    },
    async find(key, atMs, digest) {
      const held = await read(at, key);
      return held === undefined || isFree(held, atMs) ? undefined : toRecordState(at, key, held, digest());
    },
    complete: (key, lease, answer, expiresAt) => completeRecord(at, key, lease, { answer, expiresAt }),
    async release(key, token) {
      await unlessRejected(
        client.send(
          new DeleteCommand({
            TableName: table,
            Key: { pk: key },
            ConditionExpression: 'heldBy = :token AND attribute_exists(leaseEndsAtMs)',
            ExpressionAttributeValues: { ':token': token },
          }),
        ),
      );
    },
  };
}

function putLease({ client, table }: Table, key: RecordKey, lease: Lease): Promise<boolean> {
  const { token, digest, atMs, leaseEndsAtMs } = lease;
  const expiresAt = Math.ceil(leaseEndsAtMs / 1000);
  return unlessRejected(
    client.send(
      new PutCommand({
        TableName: table,
        Item: { pk: key, heldBy: token, digest, atMs, leaseEndsAtMs, expiresAt },
        ConditionExpression: FREE,
        ExpressionAttributeValues: { ':nowMs': atMs, ':now': Math.floor(atMs / 1000), ':token': token },
      }),
    ),
  );
}

async function completeRecord(
  { client, table }: Table,
  key: RecordKey,
  { token, digest, atMs }: Lease,
  { answer, expiresAt }: { readonly answer: StoredAnswer; readonly expiresAt: number },
): Promise<boolean> {
  const [first, ...others] = partsOf(gzipSync(JSON.stringify(answer)));
  const items = others.map((part, index) => ({ pk: partKey(key, token, index), answer: part, expiresAt }));
  await Promise.all(items.map((Item) => client.send(new PutCommand({ TableName: table, Item }))));
  return unlessRejected(
    client.send(
      new PutCommand({
        TableName: table,
        Item: { pk: key, heldBy: token, digest, atMs, answer: first, parts: others.length, expiresAt },
        ConditionExpression: 'heldBy = :token',
        ExpressionAttributeValues: { ':token': token },
      }),
    ),
  );
}

/** Strongly consistent: it sees at least what the rejected write saw. */
async function read({ client, table }: Table, pk: string): Promise<Item | undefined> {
  const { Item: item } = await client.send(
    new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true }),
  );
  return item;
}

async function readAnswer(
  at: Table,
  key: RecordKey,
  { answer, parts = 0, heldBy }: Item,
): Promise<StoredAnswer> {
  const keys = Array.from({ length: Number(parts) }, (_, index) => partKey(key, String(heldBy), index));
  const others = await Promise.all(keys.map(async (pk) => (await read(at, pk))?.['answer']));
  const packed = [answer, ...others].map((part) => {
    if (part instanceof Uint8Array) return part;
    throw new Error('a part of a stored answer is missing');
  });
  return parseStoredAnswer(JSON.parse(gunzipSync(Buffer.concat(packed)).toString()));
}

/** Reads nothing of another request's answer, whose parts may be many. */
async function toRecordState(at: Table, key: RecordKey, item: Item, digest: string): Promise<RecordState> {
  if (item['digest'] !== digest) return { kind: 'mismatched' };
  if (item['leaseEndsAtMs'] === undefined)
    return { kind: 'answered', answer: await readAnswer(at, key, item) };
  return { kind: 'running', atMs: Number(item['atMs']), leaseEndsAtMs: Number(item['leaseEndsAtMs']) };
}

function partsOf(bytes: Uint8Array): readonly Uint8Array[] {
  const others = bytes.subarray(FIRST_BYTES);
  const count = Math.ceil(others.byteLength / PART_BYTES);
  return [
    bytes.subarray(0, FIRST_BYTES),
    ...Array.from({ length: count }, (_, index) =>
      others.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
    ),
  ];
}

/** Named by the lease that writes it: a lost lease overwrites nobody's answer. */
function partKey(key: string, token: string, index: number): string {
  return `${key}#${token}#${index}`;
}
