// The exact reads of the audit trail: queries of the table or of one index, never a scan.
import { DynamoDBDocumentClient, GetCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { createLogReader } from '../../../adapters/dynamodb/log-reader.ts';
import type { ListedEntry } from '../../../core/ports/log-reader.ts';
import { NOON_MS } from '../../core/logs/entries.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

const dynamoDb = mockClient(DynamoDBDocumentClient);
beforeEach(() => void dynamoDb.reset());

const reader = createLogReader(createDocumentClient(), 'neuron-logs', {
  clock: createMemoryClock(NOON_MS),
  shards: 1,
});

async function drain(entries: AsyncIterable<ListedEntry>): Promise<number> {
  let count = 0;
  for await (const _entry of entries) count += 1;
  return count;
}

describe('listing entries', () => {
  it('queries the table hour by hour for one neuron', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [] });
    await drain(
      reader.list({ organizationId: 'org-1', neuronId: 'neu-1', fromMs: NOON_MS - 3_600_000, toMs: NOON_MS }),
    );
    const inputs = dynamoDb.commandCalls(QueryCommand).map(({ args }) => args[0].input);
    expect(inputs.map((input) => input.ExpressionAttributeValues?.[':bucket'])).toEqual([
      'neu-1#2026-11-21T12#0',
      'neu-1#2026-11-21T11#0',
    ]);
    expect(inputs[0]).toMatchObject({
      TableName: 'neuron-logs',
      KeyConditionExpression: 'pk = :bucket AND sk BETWEEN :from AND :to',
      ScanIndexForward: false,
    });
    expect(inputs[0]).not.toHaveProperty('IndexName');
  });

  it('queries the index of organizations for all neurons', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [] });
    await drain(reader.list({ organizationId: 'org-1', fromMs: NOON_MS - 1, toMs: NOON_MS }));
    expect(dynamoDb.commandCalls(QueryCommand).map(({ args }) => args[0].input)).toMatchObject([
      { IndexName: 'byOrganization1', ExpressionAttributeValues: { ':bucket': 'org-1#2026-11-21T12#0' } },
    ]);
    expect(dynamoDb.commandCalls(ScanCommand)).toEqual([]);
  });

  it('asks for the newest hour alone first, then for more and more at once while they are empty', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [] });
    const waiting: number[] = [];
    const query = { organizationId: 'org-1', fromMs: NOON_MS - 200 * 3_600_000, toMs: NOON_MS };
    for await (const _one of reader.list(query, ({ hoursRead }) => {
      waiting.push(dynamoDb.commandCalls(QueryCommand).length - hoursRead);
    }));
    expect(waiting.slice(0, 8)).toEqual([0, 1, 0, 3, 2, 1, 0, 7]);
    expect(Math.max(...waiting)).toBe(31);
    expect(waiting).toHaveLength(201);
  });

  it('reads a page only when the caller goes on to it', async () => {
    dynamoDb.on(QueryCommand).resolves({
      Items: [{ sk: 'time#exec-1', expiresAt: 9_999_999_999 }],
      LastEvaluatedKey: { pk: 'next', sk: 'next' },
    });
    const entries = reader.list({ organizationId: 'org-1', fromMs: NOON_MS - 1, toMs: NOON_MS });
    for await (const entry of entries) {
      expect(entry.executionId).toBe('exec-1');
      break;
    }
    expect(dynamoDb.commandCalls(QueryCommand)).toHaveLength(1);
  });
});

describe('finding an entry', () => {
  it('asks the index for its key, and the table for the entry', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [{ pk: 'p', sk: 's', executionId: 'exec-1' }] });
    dynamoDb.on(GetCommand).resolves({
      Item: {
        pk: 'p',
        sk: 's',
        organizationHour: 'o',
        failureHour: 'f',
        usernameHour: 'u',
        executionId: 'exec-1',
        expiresAt: 9_999_999_999,
      },
    });
    const found = await reader.find('exec-1');
    expect(found).toMatchObject({ executionId: 'exec-1', expiresAt: 9_999_999_999 });
    for (const key of ['pk', 'sk', 'organizationHour', 'failureHour', 'usernameHour'])
      expect(found).not.toHaveProperty(key);
    expect(dynamoDb.commandCalls(GetCommand)[0]?.args[0].input).toEqual({
      TableName: 'neuron-logs',
      Key: { pk: 'p', sk: 's' },
      ConsistentRead: true,
    });
  });

  it('finds nothing when the entry went between the two reads', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [{ pk: 'p', sk: 's' }] });
    dynamoDb.on(GetCommand).resolves({});
    expect(await reader.find('exec-1')).toBeUndefined();
  });
});

describe('finding an entry with rights that reach no texts', () => {
  const denied = () => Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });

  it('queries for its other attributes alone, and says what is missing', async () => {
    dynamoDb
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ pk: 'p', sk: 's', executionId: 'exec-1' }] })
      .resolvesOnce({ Items: [{ pk: 'p', sk: 's', executionId: 'exec-1', expiresAt: 9_999_999_999 }] });
    dynamoDb.on(GetCommand).rejects(denied());
    expect(await reader.find('exec-1')).toMatchObject({ executionId: 'exec-1', textsWithheld: true });
    const { Select, ExpressionAttributeNames } = dynamoDb.commandCalls(QueryCommand)[1]?.args[0].input ?? {};
    expect(Select).toBe('SPECIFIC_ATTRIBUTES');
    const names = Object.values(ExpressionAttributeNames ?? {});
    expect(names).toContain('costMicrodollars');
    for (const name of ['input', 'output', 'trace', 'feedback', 'packed', 'salt', 'before', 'after'])
      expect(names).not.toContain(name);
  });

  it('fails as before where the table cannot be read for another reason', async () => {
    dynamoDb.on(QueryCommand).resolves({ Items: [{ pk: 'p', sk: 's', executionId: 'exec-1' }] });
    dynamoDb.on(GetCommand).rejects(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
    await expect(reader.find('exec-1')).rejects.toThrow('slow down');
  });

  it('finds nothing where the entry has expired', async () => {
    dynamoDb
      .on(QueryCommand)
      .resolvesOnce({ Items: [{ pk: 'p', sk: 's', executionId: 'exec-1' }] })
      .resolvesOnce({ Items: [{ pk: 'p', sk: 's', executionId: 'exec-1', expiresAt: 1 }] });
    dynamoDb.on(GetCommand).rejects(denied());
    expect(await reader.find('exec-1')).toBeUndefined();
  });
});
