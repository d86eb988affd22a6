// What the items of an idempotency key take: repetitions write against the first of them.
import { randomBytes } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { createIdempotencyStore } from '../../../adapters/dynamodb/idempotency.ts';
import type { RecordKey } from '../../../core/ports/idempotency.ts';

it.each([100, 9_000, 1_000_000])(
  'keeps the item of a key small with an answer of %d bytes',
  async (bytes) => {
    const items: Readonly<Record<string, unknown>>[] = [];
    const send = (command: unknown) => {
      if (command instanceof PutCommand) items.push(command.input.Item ?? {});
      return Promise.resolve({});
    };
    const store = createIdempotencyStore({ send } as unknown as DynamoDBDocumentClient, 'cache');
    const lease = { token: 'token', digest: 'digest', atMs: 1_000, leaseEndsAtMs: 2_000 };
    const body = randomBytes(bytes).toString('base64');
    const answer = { status: 200, headers: {}, body, executionId: 'id', executionStopped: false };
    await store.complete('I#key' as RecordKey, lease, answer, 86_401);
    const lengths = items.map((item) => (item['answer'] as Uint8Array).byteLength);
    // Written last: until then there is no answer.
    expect(items.at(-1)?.['pk']).toBe('I#key');
    expect(items.at(-1)?.['parts']).toBe(items.length - 1);
    expect(lengths.at(-1)).toBeLessThanOrEqual(8_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(350_000);
  },
);

it('reads no part of an answer to another request', async () => {
  const reads: unknown[] = [];
  const send = async (command: unknown) => {
    if (!(command instanceof GetCommand))
      throw new ConditionalCheckFailedException({ message: 'held', $metadata: {} });
    reads.push(command.input.Key);
    return { Item: { pk: 'I#key', digest: 'of another', heldBy: 'a', answer: new Uint8Array(1), parts: 9 } };
  };
  const store = createIdempotencyStore({ send } as unknown as DynamoDBDocumentClient, 'cache');
  const lease = { token: 'token', digest: 'digest', atMs: 1_000, leaseEndsAtMs: 2_000 };
  expect(await store.acquire('I#key' as RecordKey, lease)).toEqual({ kind: 'mismatched' });
  expect(reads).toEqual([{ pk: 'I#key' }]);
});
