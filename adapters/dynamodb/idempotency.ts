// Claims on idempotency keys, and the answers kept for them, in the cache table.
import { gunzipSync, gzipSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type HeldKey,
  type IdempotencyStore,
  type KeptAnswer,
  parseKeptAnswer,
} from '../../core/ports/idempotency.ts';
import type { Item } from './client.ts';

/** What an item may take of the 400 KB that DynamoDB allows (amazondynamodb/latest/developerguide/Constraints.html), keys and overhead aside. */
const PART_BYTES = 350_000;

/** The last of these: the same claim, which the client sent again because it got no answer. */
const FREE = [
  'attribute_not_exists(pk)',
  'leaseEndsAtMs <= :nowMs',
  'expiresAt <= :now',
  '(heldBy = :token AND attribute_exists(leaseEndsAtMs))',
].join(' OR ');

/** A key that is given back or expires between a refused claim and the look at who holds it is claimed again. */
const MAX_TRIES = 3;

/**
 * One item per key: a claim with its lease, then the answer in its place. An answer that no item holds is in items of its own,
 * written before.
 */
export function createIdempotencyStore(client: DynamoDBDocumentClient, table: string): IdempotencyStore {
  const put = (item: Item) => client.send(new PutCommand({ TableName: table, Item: item }));
  const read = async (pk: string): Promise<Item | undefined> => {
    const { Item: item } = await client.send(
      new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true }),
    );
    return item;
  };

  async function readAnswer(pk: string, item: Item): Promise<KeptAnswer> {
    const { answer, parts = 0, heldBy } = item;
    const keys = Array.from({ length: Number(parts) }, (_, index) => partKey(pk, String(heldBy), index));
    const others = await Promise.all(keys.map(async (key) => (await read(key))?.['answer']));
    const packed = [answer, ...others].map((part) => {
      if (part instanceof Uint8Array) return part;
      throw new Error('a part of a kept answer is missing');
    });
    return parseKeptAnswer(JSON.parse(gunzipSync(Buffer.concat(packed)).toString()));
  }

  return {
    async claim(key, claim) {
      const { token, digest, atMs, leaseEndsAtMs } = claim;
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const isClaimed = await unlessRefused(
          client.send(
            new PutCommand({
              TableName: table,
              Item: {
                pk: key,
                heldBy: token,
                digest,
                atMs,
                leaseEndsAtMs,
                expiresAt: Math.ceil(leaseEndsAtMs / 1000),
              },
              ConditionExpression: FREE,
              ExpressionAttributeValues: { ':nowMs': atMs, ':now': Math.floor(atMs / 1000), ':token': token },
            }),
          ),
        );
        if (isClaimed) return { kind: 'claimed' };
        const held = await read(key);
        if (held !== undefined) return toHeldKey(held, () => readAnswer(key, held));
      }
      throw new Error('an idempotency key changed hands too often');
    },
    async keep(key, { token, digest, atMs }, answer, expiresAt) {
      const packed = gzipSync(JSON.stringify(answer));
      const [first, ...others] = partsOf(packed);
      await Promise.all(
        others.map((part, index) => put({ pk: partKey(key, token, index), answer: part, expiresAt })),
      );
      return unlessRefused(
        client.send(
          new PutCommand({
            TableName: table,
            Item: { pk: key, heldBy: token, digest, atMs, answer: first, parts: others.length, expiresAt },
            ConditionExpression: 'heldBy = :token',
            ExpressionAttributeValues: { ':token': token },
          }),
        ),
      );
    },
    async release(key, token) {
      await unlessRefused(
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

/** False where the condition of a write was not met. */
async function unlessRefused(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

async function toHeldKey(item: Item, readAnswer: () => Promise<KeptAnswer>): Promise<HeldKey> {
  const digest = String(item['digest']);
  if (item['leaseEndsAtMs'] === undefined) return { kind: 'answered', digest, answer: await readAnswer() };
  return {
    kind: 'running',
    digest,
    atMs: Number(item['atMs']),
    leaseEndsAtMs: Number(item['leaseEndsAtMs']),
  };
}

function partsOf(bytes: Uint8Array): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.byteLength / PART_BYTES));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
}

/** Of the claim that wrote it: a claim that was lost writes over nobody's answer. */
function partKey(key: string, token: string, index: number): string {
  return `${key}#${token}#${index}`;
}
