// Claims on idempotency keys, and the answers kept for them, in the cache table.
import { gunzipSync, gzipSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Claim,
  type ClaimKey,
  type HeldKey,
  type IdempotencyStore,
  type KeptAnswer,
  parseKeptAnswer,
} from '../../core/ports/idempotency.ts';
import type { Item } from './client.ts';

/** What an item may take of the 400 KB that DynamoDB allows (amazondynamodb/latest/developerguide/Constraints.html), keys and overhead aside. */
const PART_BYTES = 350_000;

/**
 * What of an answer is in the item of its key. Each repetition is a refused write, which costs as much as one of that item: with all of a large
 * answer in it, three a second would use up the writes of a partition, for everybody whose keys are there.
 */
const FIRST_BYTES = 8_000;

/** The last of these: the same claim, which the client sent again because it got no answer. */
const FREE = [
  'attribute_not_exists(pk)',
  'leaseEndsAtMs <= :nowMs',
  'expiresAt <= :now',
  '(heldBy = :token AND attribute_exists(leaseEndsAtMs))',
].join(' OR ');

/** A key that is given back or expires between a refused claim and the look at who holds it is claimed again. */
const MAX_TRIES = 3;

interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/**
 * One item per key: a claim with its lease, then the answer in its place. What of an answer no item holds is in items of its own,
 * written before.
 */
export function createIdempotencyStore(client: DynamoDBDocumentClient, table: string): IdempotencyStore {
  const at: Table = { client, table };
  return {
    async claim(key, claim) {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        if (await putClaim(at, key, claim)) return { kind: 'claimed' };
        const held = await read(at, key);
        if (held !== undefined) return toHeldKey(at, key, held, claim);
      }
      throw new Error('an idempotency key changed hands too often');
    },
    keep: (key, claim, answer, expiresAt) => keepAnswer(at, key, claim, { answer, expiresAt }),
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

function putClaim({ client, table }: Table, key: ClaimKey, claim: Claim): Promise<boolean> {
  const { token, digest, atMs, leaseEndsAtMs } = claim;
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

async function keepAnswer(
  { client, table }: Table,
  key: ClaimKey,
  { token, digest, atMs }: Claim,
  { answer, expiresAt }: { readonly answer: KeptAnswer; readonly expiresAt: number },
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

/** Strongly consistent: what the refused write has seen is there. */
async function read({ client, table }: Table, pk: string): Promise<Item | undefined> {
  const { Item: item } = await client.send(
    new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true }),
  );
  return item;
}

async function readAnswer(
  at: Table,
  key: ClaimKey,
  { answer, parts = 0, heldBy }: Item,
): Promise<KeptAnswer> {
  const keys = Array.from({ length: Number(parts) }, (_, index) => partKey(key, String(heldBy), index));
  const others = await Promise.all(keys.map(async (pk) => (await read(at, pk))?.['answer']));
  const packed = [answer, ...others].map((part) => {
    if (part instanceof Uint8Array) return part;
    throw new Error('a part of a kept answer is missing');
  });
  return parseKeptAnswer(JSON.parse(gunzipSync(Buffer.concat(packed)).toString()));
}

/** False where the condition of a write was not met. */
async function unlessRejected(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Of another request's answer, whose parts may be many, nothing is read. */
async function toHeldKey(at: Table, key: ClaimKey, item: Item, { digest }: Claim): Promise<HeldKey> {
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

/** Of the claim that wrote it: a claim that was lost writes over nobody's answer. */
function partKey(key: string, token: string, index: number): string {
  return `${key}#${token}#${index}`;
}
