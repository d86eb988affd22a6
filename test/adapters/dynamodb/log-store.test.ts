// The exact write of an entry, and which failures count.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { toLogEntry } from '../../../adapters/dynamodb/log-items.ts';
import { createLogStore } from '../../../adapters/dynamodb/log-store.ts';
import { entryOf } from '../../core/logs/entries.ts';

const dynamoDb = mockClient(DynamoDBDocumentClient);
beforeEach(() => void dynamoDb.reset());

const store = createLogStore(createDocumentClient(), 'neuron-logs', 1);

describe('putting an entry', () => {
  it('is one put that changes nothing where an entry is already', async () => {
    dynamoDb.on(PutCommand).resolves({});
    await store.put(entryOf());
    expect(dynamoDb.calls()).toHaveLength(1);
    expect(dynamoDb.call(0).args[0].input).toMatchObject({
      TableName: 'neuron-logs',
      ConditionExpression: 'attribute_not_exists(pk)',
      Item: {
        pk: 'neu-1#2026-11-21T12#0',
        sk: '2026-11-21T12:30:00.000Z#exec-1',
        organizationHour: 'org-1#2026-11-21T12#0',
        usernameHour: 'org-1#2026-11-21T12#0#ann',
        executionId: 'exec-1',
        outcome: 'success',
      },
    });
  });

  it('gives every item a salt of its own, which no reader shows', async () => {
    dynamoDb.on(PutCommand).resolves({});
    await store.put(entryOf());
    await store.put(entryOf());
    const items = dynamoDb.commandCalls(PutCommand).map(({ args }) => args[0].input.Item ?? {});
    const salts = items.map((item) => Buffer.from(item['salt'] as Uint8Array).toString('hex'));
    expect(new Set(salts).size).toBe(2);
    expect(salts.every((salt) => salt.length === 32)).toBe(true);
    expect(items.map(toLogEntry)).not.toContainEqual(expect.objectContaining({ salt: expect.anything() }));
  });

  it('is done when the entry is there already', async () => {
    dynamoDb.on(PutCommand).rejects(new ConditionalCheckFailedException({ message: 'there', $metadata: {} }));
    await expect(store.put(entryOf())).resolves.toBe(false);
  });

  it('fails with the table, so that somebody hears of it', async () => {
    dynamoDb.on(PutCommand).rejects(new Error('throttled'));
    await expect(store.put(entryOf())).rejects.toThrow('throttled');
  });
});
