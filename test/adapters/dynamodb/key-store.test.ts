// The exact commands that key stores send, and what they make of answers that are no answers.
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createKeyAdmin } from '../../../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../../../adapters/dynamodb/key-store.ts';
import { createKeyUseStore } from '../../../adapters/dynamodb/key-use-store.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }));
const dynamoDb = mockClient(client);
beforeEach(() => dynamoDb.reset());

const ITEM = {
  pk: 'KEY#ab12',
  keyId: 'keyA',
  organizationId: 'org-1',
  name: 'Back end',
  prefix: 'nrn_keyA',
  lastFour: 'Fzi4',
  createdAt: '2026-11-21T12:00:00.000Z',
  createdBy: 'op',
};
const OTHER = { ...ITEM, pk: 'KEY#cd34', keyId: 'keyB' };
const conditionFailed = new ConditionalCheckFailedException({ message: 'no', $metadata: {} });

/** Inputs of all commands sent, in order. */
function sent(): unknown[] {
  return dynamoDb.calls().map((call) => call.args[0].input);
}

describe('reading a key', () => {
  const keys = createKeyStore(client, 'keys-table');

  it('is one strongly consistent GetItem, every time', async () => {
    dynamoDb.on(GetCommand).resolves({ Item: ITEM });
    await keys.read('ab12');
    await keys.read('ab12');
    const get = { TableName: 'keys-table', Key: { pk: 'KEY#ab12' }, ConsistentRead: true };
    expect(sent()).toEqual([get, get]);
  });

  it('gives no more than the port knows', async () => {
    dynamoDb.on(GetCommand).resolves({ Item: { ...ITEM, secret: 'x' } });
    const { pk: _pk, ...known } = ITEM;
    expect(await keys.read('ab12')).toEqual(known);
  });

  it('takes ids of any length', async () => {
    dynamoDb.on(GetCommand).resolves({ Item: { ...ITEM, keyId: 'k', organizationId: 'o' } });
    expect(await keys.read('ab12')).toMatchObject({ keyId: 'k', organizationId: 'o' });
  });

  it.each([
    [{ ...ITEM, organizationId: undefined }],
    [{ ...ITEM, organizationId: '' }],
    [{ ...ITEM, keyId: '' }],
    [{ ...ITEM, keyId: 7 }],
    [{ ...ITEM, neurons: 'neuron-1' }],
    [{ ...ITEM, neurons: [1] }],
    [{ ...ITEM, expiresAt: 1_800_000_000 }],
    [{ ...ITEM, expiresAt: 'tomorrow' }],
    [{ ...ITEM, expiresAt: null }],
    [{ ...ITEM, revokedAt: true }],
    [{ ...ITEM, revokedAt: '2026-11-21' }],
    [{ ...ITEM, createdAt: 'x2026-11-21T12:00:00.000Z' }],
    [{ ...ITEM, createdAt: '2026-11-21T12:00:00.000Z ' }],
    [{}],
  ])('fails on the item %j rather than let half a key decide', async (item) => {
    dynamoDb.on(GetCommand).resolves({ Item: item });
    await expect(keys.read('ab12')).rejects.toThrow('a stored API key is malformed');
  });

  it('fails when the table does', async () => {
    dynamoDb.on(GetCommand).rejects(new Error('throttled'));
    await expect(keys.read('ab12')).rejects.toThrow('throttled');
  });
});

describe('administration of keys', () => {
  const admin = createKeyAdmin(client, 'keys-table');

  it('creates an item under the digest, only where there is none', async () => {
    const { pk: _pk, ...key } = ITEM;
    await admin.create('ab12', key);
    expect(sent()).toEqual([
      { TableName: 'keys-table', Item: ITEM, ConditionExpression: 'attribute_not_exists(pk)' },
    ]);
    expect(dynamoDb.commandCalls(PutCommand)).toHaveLength(1);
  });

  it('finds a key in the index by organization and id, and revokes it in the table', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [ITEM] });
    await admin.revoke('org-1', 'keyA', '2026-11-22T00:00:00.000Z');
    expect(sent()).toMatchObject([
      {
        TableName: 'keys-table',
        IndexName: 'byOrganization1',
        KeyConditionExpression: 'organizationId = :o AND keyId = :k',
        ExpressionAttributeValues: { ':o': 'org-1', ':k': 'keyA' },
      },
      {
        TableName: 'keys-table',
        Key: { pk: 'KEY#ab12' },
        UpdateExpression: 'SET revokedAt = :at',
        ConditionExpression: 'organizationId = :o AND attribute_not_exists(revokedAt)',
        ExpressionAttributeValues: { ':at': '2026-11-22T00:00:00.000Z', ':o': 'org-1' },
      },
    ]);
  });

  it('lists by organization alone', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [ITEM, OTHER] });
    const rest = { Keys: [{ pk: OTHER.pk }], ConsistentRead: true };
    dynamoDb
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { 'keys-table': [ITEM] }, UnprocessedKeys: { 'keys-table': rest } })
      .resolves({ Responses: { 'keys-table': [OTHER] } });
    const listed: string[] = [];
    for await (const { keyId } of admin.list('org-1')) listed.push(keyId);
    expect(listed).toEqual(['keyA', 'keyB']);
    expect(sent()).toEqual([
      {
        TableName: 'keys-table',
        IndexName: 'byOrganization1',
        KeyConditionExpression: 'organizationId = :o',
        ExpressionAttributeValues: { ':o': 'org-1' },
      },
      {
        RequestItems: {
          'keys-table': { Keys: [{ pk: ITEM.pk }, { pk: OTHER.pk }], ConsistentRead: true },
        },
      },
      { RequestItems: { 'keys-table': { Keys: [{ pk: OTHER.pk }], ConsistentRead: true } } },
    ]);
  });

  it('reports a revocation that failed, rather than one that was there before', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [ITEM] });
    dynamoDb.on(UpdateCommand).rejectsOnce(new Error('throttled')).rejects(conditionFailed);
    await expect(admin.revoke('org-1', 'keyA', '2026-11-22T00:00:00.000Z')).rejects.toThrow('throttled');
    expect(await admin.revoke('org-1', 'keyA', '2026-11-22T00:00:00.000Z')).toBe('already_revoked');
  });
});

describe('last uses', () => {
  const uses = createKeyUseStore(client, 'counters-table');

  it('are one conditional write, kept for 400 days', async () => {
    await uses.record('keyA', Date.parse('2026-11-21T12:00:00.500Z'));
    expect(sent()).toEqual([
      {
        TableName: 'counters-table',
        Key: { pk: 'LASTUSED#keyA' },
        UpdateExpression: 'SET lastUsedAt = :at, expiresAt = :end',
        ConditionExpression: 'attribute_not_exists(lastUsedAt) OR lastUsedAt < :at',
        ExpressionAttributeValues: { ':at': '2026-11-21T12:00:00.500Z', ':end': 1_829_822_400 },
      },
    ]);
  });

  it('are no failure when a later one is on record, and are one otherwise', async () => {
    dynamoDb.on(UpdateCommand).rejectsOnce(conditionFailed).rejects(new Error('throttled'));
    await uses.record('keyA', 0);
    await expect(uses.record('keyA', 0)).rejects.toThrow('throttled');
  });

  it('are asked for a hundred at a time', async () => {
    dynamoDb.on(BatchGetCommand).resolves({});
    await uses.read(Array.from({ length: 201 }, (_, index) => `key${index}`));
    const sizes = dynamoDb
      .commandCalls(BatchGetCommand)
      .map((call) => call.args[0].input.RequestItems?.['counters-table']?.Keys?.length);
    expect(sizes).toEqual([100, 100, 1]);
  });

  it('fail when the table gives a part of the answer', async () => {
    const unread = { 'counters-table': { Keys: [{ pk: 'LASTUSED#keyA' }] } };
    dynamoDb.on(BatchGetCommand).resolves({ Responses: { 'counters-table': [] }, UnprocessedKeys: unread });
    await expect(uses.read(['keyA'])).rejects.toThrow('the counters table is throttled');
  });
});
