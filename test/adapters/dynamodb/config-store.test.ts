// The exact reads of settings and versions, and what a failing table does to them.
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { createSettingsStore, createVersionStore } from '../../../adapters/dynamodb/config-store.ts';

const dynamoDb = mockClient(DynamoDBDocumentClient);
beforeEach(() => void dynamoDb.reset());

const client = createDocumentClient();
const settings = createSettingsStore(client, 'neuron-config');
const versions = createVersionStore(client, 'neuron-config');

describe('reading settings', () => {
  it('is one strongly consistent read of three keys', async () => {
    dynamoDb.on(BatchGetCommand).resolves({ Responses: { 'neuron-config': [] } });
    await settings.read('acme', 'hello');
    expect(dynamoDb.calls().map(({ args }) => args[0].input)).toEqual([
      {
        RequestItems: {
          'neuron-config': {
            ConsistentRead: true,
            Keys: [
              { pk: 'ORG#acme', sk: 'META' },
              { pk: 'ORG#acme', sk: 'NEURON#hello' },
              { pk: 'SERVICE', sk: 'MAINTENANCE' },
            ],
          },
        },
      },
    ]);
  });

  it('fails when a part of the answer is missing: a neuron that was not read is not a neuron that is not there', async () => {
    const left = { Keys: [{ pk: 'ORG#acme', sk: 'NEURON#hello' }] };
    dynamoDb.on(BatchGetCommand).resolves({
      Responses: { 'neuron-config': [{ pk: 'ORG#acme', sk: 'META', id: 'org-1', slug: 'acme', write: 1 }] },
      UnprocessedKeys: { 'neuron-config': left },
    });
    await expect(settings.read('acme', 'hello')).rejects.toThrow();
  });

  it('fails with the table', async () => {
    dynamoDb.on(BatchGetCommand).rejects(new Error('throttled'));
    await expect(settings.read('acme', 'hello')).rejects.toThrow('throttled');
  });
});

describe('reading a version', () => {
  it('is one strongly consistent read of one key', async () => {
    dynamoDb.on(GetCommand).resolves({});
    expect(await versions.read('acme', 'neu-1', 'v2')).toBeUndefined();
    expect(dynamoDb.calls().map(({ args }) => args[0].input)).toEqual([
      { TableName: 'neuron-config', Key: { pk: 'ORG#acme', sk: 'VERSION#neu-1#v2' }, ConsistentRead: true },
    ]);
  });

  it('fails with the table', async () => {
    dynamoDb.on(GetCommand).rejects(new Error('throttled'));
    await expect(versions.read('acme', 'neu-1', 'v2')).rejects.toThrow('throttled');
  });
});
