// The exact writes to the counters table, and how its errors are mapped.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../../adapters/dynamodb/client.ts';
import { COUNTER_LIMITS, createCounterStore } from '../../../adapters/dynamodb/counters.ts';
import { CounterFailure, type ReserveRequest } from '../../../core/ports/counters.ts';

const dynamoDb = mockClient(DynamoDBDocumentClient);
beforeEach(() => void dynamoDb.reset());

const store = createCounterStore(createDocumentClient(COUNTER_LIMITS), 'neuron-counters');

const request: ReserveRequest = {
  key: 'neu-1#user#1m#hash#2026-11-21T12:00:00Z',
  changes: [
    { metric: 'requests', taken: 1, held: 0, limit: 20 },
    { metric: 'tokens', taken: 300, held: 300, limit: 1_000 },
  ],
  atMs: 1_795_264_200_123,
  expiresAt: 1_795_268_100,
};

const settlement = {
  key: request.key,
  changes: [{ metric: 'tokens', taken: -250, held: -300 }],
} as const;

function conditionFailed(item?: Record<string, { N: string }>): ConditionalCheckFailedException {
  const detail = item === undefined ? {} : { Item: item };
  return new ConditionalCheckFailedException({ message: 'full', $metadata: {}, ...detail });
}

function named(name: string): Error {
  return Object.assign(new Error('text of the table'), { name });
}

describe('reserving', () => {
  it('is one conditional update for all metrics of a counter, with nothing read', async () => {
    dynamoDb.on(UpdateCommand).resolves({
      Attributes: { pk: request.key, requestsTaken: 4, tokensTaken: 900, tokensHeld: 400, takenAtMs: 7 },
    });
    expect(await store.reserve(request)).toEqual({
      reserved: true,
      state: {
        counts: { requests: { taken: 4, held: 0 }, tokens: { taken: 900, held: 400 } },
        atMs: 7,
        leases: [],
      },
    });
    expect(dynamoDb.calls()).toHaveLength(1);
    expect(dynamoDb.call(0).args[0].input).toEqual({
      TableName: 'neuron-counters',
      Key: { pk: 'neu-1#user#1m#hash#2026-11-21T12:00:00Z' },
      UpdateExpression:
        'ADD requestsTaken :requestsTaken, tokensTaken :tokensTaken, tokensHeld :tokensHeld SET takenAtMs = :atMs, expiresAt = :expiresAt',
      ConditionExpression:
        '(attribute_not_exists(requestsTaken) OR requestsTaken <= :requestsRoom) AND (attribute_not_exists(tokensTaken) OR tokensTaken <= :tokensRoom)',
      ExpressionAttributeValues: {
        ':requestsTaken': 1,
        ':tokensTaken': 300,
        ':tokensHeld': 300,
        ':requestsRoom': 19,
        ':tokensRoom': 700,
        ':atMs': 1_795_264_200_123,
        ':expiresAt': 1_795_268_100,
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
  });

  it('puts no condition on a metric that it does not add to', async () => {
    dynamoDb.on(UpdateCommand).resolves({});
    const changes = [
      { metric: 'tokens', taken: 5, held: 5, limit: 100 },
      { metric: 'cost', taken: -3, held: -3, limit: 10 },
    ] as const;
    await store.reserve({ ...request, changes });
    expect(dynamoDb.call(0).args[0].input).toMatchObject({
      UpdateExpression:
        'ADD tokensTaken :tokensTaken, tokensHeld :tokensHeld, costTaken :costTaken, costHeld :costHeld SET expiresAt = :expiresAt',
      ConditionExpression: '(attribute_not_exists(tokensTaken) OR tokensTaken <= :tokensRoom)',
      ExpressionAttributeValues: { ':costTaken': -3, ':costHeld': -3, ':tokensRoom': 95 },
    });
  });

  it('stores the time of admissions alone, with no value that an expression does not use', async () => {
    dynamoDb.on(UpdateCommand).resolves({});
    const requests = (taken: number) => ({ metric: 'requests', taken, held: 0, limit: 9 }) as const;
    const tokens = { metric: 'tokens', taken: 5, held: 5, limit: 100 } as const;
    await store.reserve({ ...request, changes: [requests(1)] });
    await store.reserve({ ...request, changes: [tokens] });
    await store.reserve({ ...request, changes: [requests(-1), tokens] });
    const inputs = dynamoDb.calls().map(({ args }) => JSON.stringify(args[0].input));
    expect(inputs.map((input) => input.includes('takenAtMs = :atMs'))).toEqual([true, false, false]);
    expect(inputs.map((input) => input.includes('":atMs":'))).toEqual([true, false, false]);
  });

  it('writes nothing for more than the whole limit: a new item would pass the condition', async () => {
    const changes = [{ metric: 'requests', taken: 2, held: 0, limit: 1 }] as const;
    expect(await store.reserve({ ...request, changes })).toEqual({ reserved: false, state: undefined });
    expect(dynamoDb.calls()).toHaveLength(0);
  });

  it('returns the state of a counter that denies when the table returns the item', async () => {
    dynamoDb
      .on(UpdateCommand)
      .rejectsOnce(
        conditionFailed({
          pk: { N: '0' },
          requestsTaken: { N: '20' },
          tokensTaken: { N: '9' },
          takenAtMs: { N: '5' },
        }),
      )
      .rejectsOnce(conditionFailed());
    expect(await store.reserve(request)).toEqual({
      reserved: false,
      state: {
        counts: { requests: { taken: 20, held: 0 }, tokens: { taken: 9, held: 0 } },
        atMs: 5,
        leases: [],
      },
    });
    expect(await store.reserve(request)).toEqual({ reserved: false, state: undefined });
    expect(dynamoDb.calls()).toHaveLength(2);
  });
});

describe('settling', () => {
  it('is one update that requires the item', async () => {
    dynamoDb.on(UpdateCommand).resolves({});
    await store.settle(settlement);
    expect(dynamoDb.calls()).toHaveLength(1);
    expect(dynamoDb.call(0).args[0].input).toEqual({
      TableName: 'neuron-counters',
      Key: { pk: 'neu-1#user#1m#hash#2026-11-21T12:00:00Z' },
      UpdateExpression: 'ADD tokensTaken :tokensTaken, tokensHeld :tokensHeld',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':tokensTaken': -250, ':tokensHeld': -300 },
    });
  });

  it('succeeds when the item no longer exists', async () => {
    dynamoDb.on(UpdateCommand).rejects(conditionFailed());
    await expect(store.settle(settlement)).resolves.toBeUndefined();
  });
});

describe('runs at once', () => {
  const place: ReserveRequest = {
    key: 'neu-1#total#concurrent#hash',
    changes: [{ metric: 'concurrent', taken: 1, held: 1, limit: 5 }],
    atMs: 1_795_264_200_123,
    expiresAt: 1_795_268_100,
    lease: { endsAt: 1_795_264_270, ended: [] },
  };
  // 1,795,264,270 and 1,795,264,200 in base 36.
  const [END, OLDER] = ['endtouqry', 'endtouqq0'];
  const died = { endsAt: 1_795_264_200, runs: 3 };

  it('take a place by one update of a count and of a lease, which is an attribute', async () => {
    dynamoDb.on(UpdateCommand).resolves({
      Attributes: { pk: place.key, concurrentTaken: 2, [END]: 1, [OLDER]: 1, expiresAt: 9, takenAtMs: 7 },
    });
    expect(await store.reserve(place)).toEqual({
      reserved: true,
      state: {
        counts: { concurrent: { taken: 2, held: 2 } },
        atMs: 7,
        leases: [
          { endsAt: 1_795_264_270, runs: 1 },
          { endsAt: 1_795_264_200, runs: 1 },
        ],
      },
    });
    expect(dynamoDb.call(0).args[0].input).toMatchObject({
      UpdateExpression: `ADD concurrentTaken :concurrentTaken, ${END} :${END} SET expiresAt = :expiresAt`,
      ConditionExpression: '(attribute_not_exists(concurrentTaken) OR concurrentTaken <= :concurrentRoom)',
      ExpressionAttributeValues: { ':concurrentTaken': 1, [`:${END}`]: 1, ':concurrentRoom': 4 },
    });
  });

  it('take the places of ended leases, on the condition that nobody else did', async () => {
    dynamoDb.on(UpdateCommand).resolves({});
    await store.reserve({ ...place, lease: { endsAt: 1_795_264_270, ended: [died] } });
    expect(dynamoDb.call(0).args[0].input).toMatchObject({
      UpdateExpression: `ADD concurrentTaken :concurrentTaken, ${END} :${END} SET expiresAt = :expiresAt REMOVE ${OLDER}`,
      ConditionExpression: `(attribute_not_exists(concurrentTaken) OR concurrentTaken <= :concurrentRoom) AND ${OLDER} = :${OLDER}`,
      ExpressionAttributeValues: {
        ...{ ':concurrentTaken': -2, [`:${END}`]: 1, ':concurrentRoom': 7, [`:${OLDER}`]: 3 },
      },
    });
  });

  it('free a place while its lease counts one', async () => {
    dynamoDb.on(UpdateCommand).resolves({});
    const changes = [{ metric: 'concurrent', taken: -1, held: -1 }] as const;
    await store.settle({ key: place.key, changes, lease: 1_795_264_270 });
    expect(dynamoDb.call(0).args[0].input).toEqual({
      TableName: 'neuron-counters',
      Key: { pk: place.key },
      UpdateExpression: `ADD concurrentTaken :concurrentTaken, ${END} :${END}`,
      ConditionExpression: `${END} >= :one`,
      ExpressionAttributeValues: { ':concurrentTaken': -1, [`:${END}`]: -1, ':one': 1 },
    });
  });

  it('remove ended leases with what they count, if they are as they were read', async () => {
    dynamoDb.on(UpdateCommand).resolves({});
    const none = { endsAt: 1_795_264_270, runs: 0 };
    await store.settle({ key: place.key, changes: [], ended: [died, none] });
    expect(dynamoDb.call(0).args[0].input).toEqual({
      TableName: 'neuron-counters',
      Key: { pk: place.key },
      UpdateExpression: `ADD concurrentTaken :concurrentTaken REMOVE ${OLDER}, ${END}`,
      ConditionExpression: `attribute_exists(pk) AND ${OLDER} = :${OLDER} AND ${END} = :${END}`,
      ExpressionAttributeValues: { ':concurrentTaken': -3, [`:${OLDER}`]: 3, [`:${END}`]: 0 },
    });
  });
});

describe('a failure', () => {
  const calls = {
    reserve: () => store.reserve(request),
    settle: () => store.settle(settlement),
    read: () => store.read([request.key]),
  };

  describe.each(Object.entries(calls))('of %s', (_name, call) => {
    it.each([
      ['ProvisionedThroughputExceededException', 'throttled'],
      ['ThrottlingException', 'throttled'],
      ['RequestLimitExceeded', 'throttled'],
      ['TimeoutError', 'unknown'],
      ['ECONNRESET', 'unknown'],
      ['InternalServerError', 'unknown'],
      ['AccessDeniedException', 'unknown'],
    ] as const)('by %s is %s, and is not retried', async (name, kind) => {
      dynamoDb.on(UpdateCommand).rejects(named(name)).on(GetCommand).rejects(named(name));
      const failure: unknown = await call().catch((thrown: unknown) => thrown);
      expect(failure).toBeInstanceOf(CounterFailure);
      expect(failure).toMatchObject({ kind, message: `the counters table failed: ${kind}` });
      expect(dynamoDb.calls()).toHaveLength(1);
    });
  });
});

describe('the client for counters', () => {
  it('makes one attempt of at most a second', async () => {
    const { config } = createDocumentClient(COUNTER_LIMITS);
    expect(await config.maxAttempts()).toBe(1);
    expect(COUNTER_LIMITS).toEqual({ maxAttempts: 1, connectionTimeout: 1_000, requestTimeout: 1_000 });
  });

  it('reads strongly consistent', async () => {
    dynamoDb.on(GetCommand).resolves({});
    await store.read([request.key]);
    expect(dynamoDb.call(0).args[0].input).toEqual({
      TableName: 'neuron-counters',
      Key: { pk: request.key },
      ConsistentRead: true,
    });
  });
});
