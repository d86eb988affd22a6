// What every response cache does: one suite over memory and the embedded DynamoDB with its vector index.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResponseCacheStore } from '../../adapters/dynamodb/response-cache.ts';
import { createVectorIndex } from '../../adapters/dynamodb/vector-index.ts';
import type { CachedAnswer, CacheScope, SemanticScope } from '../../core/ports/response-cache.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createMemoryResponseCache, createMemoryVectorIndex } from '../support/memory/response-cache.ts';

let database: TestDynamoDb;
beforeAll(async () => {
  database = await startDynamoDb();
});
afterAll(() => database.stop());

const memoryStores = () => ({ responses: createMemoryResponseCache(), vectors: createMemoryVectorIndex() });
const dynamoDbStores = () => ({
  responses: createResponseCacheStore(database.client, database.tables.cache),
  vectors: createVectorIndex(database.client, database.tables.cache),
});

let made = 0;
/** Scopes and hashes that no other test of the file uses. */
const fresh = () => (made++).toString(16).padStart(64, '0');
const scope = () => fresh() as CacheScope;
const semanticScope = () => fresh() as SemanticScope;

const ANSWER: CachedAnswer = {
  output: 'Zürich 🏔',
  costMicrodollars: 17,
  tokensInput: 3,
  tokensOutput: 5,
  executionId: 'exec-1',
  storedAtMs: 1_795_264_200_123,
  expiresAt: 1_795_267_800,
};

/** A vector with the given numbers at its beginning. */
const vector = (...numbers: number[]) => [...numbers, ...new Array<number>(512 - numbers.length).fill(0)];

describe.each([
  ['in memory', memoryStores],
  ['in DynamoDB', dynamoDbStores],
])('a response cache %s', (_where, open) => {
  it('reads back what was written, under its scope and its input alone', async () => {
    const { responses } = open();
    const [own, other, input] = [scope(), scope(), fresh()] as const;
    await responses.write(own, input, ANSWER);
    expect(await responses.read(own, input)).toEqual(ANSWER);
    expect(await responses.read(own, fresh())).toBeUndefined();
    expect(await responses.read(other, input)).toBeUndefined();
  });

  it('keeps an unknown cost and the semantic scope of the input, and replaces what was there', async () => {
    const { responses } = open();
    const [own, input] = [scope(), fresh()] as const;
    await responses.write(own, input, ANSWER);
    const second = { ...ANSWER, output: '', costMicrodollars: null, semanticScope: semanticScope() };
    await responses.write(own, input, second);
    expect(await responses.read(own, input)).toEqual(second);
  });

  it('keeps an output of 350,000 bytes', async () => {
    const { responses } = open();
    const [own, input] = [scope(), fresh()] as const;
    const output = 'é'.repeat(175_000);
    await responses.write(own, input, { ...ANSWER, output });
    expect((await responses.read(own, input))?.output).toBe(output);
  });

  it('gives an answer back whose time is over: its reader decides', async () => {
    const { responses } = open();
    const [own, input] = [scope(), fresh()] as const;
    await responses.write(own, input, { ...ANSWER, expiresAt: 1 });
    expect((await responses.read(own, input))?.expiresAt).toBe(1);
  });

  it('finds the nearest inputs of a scope, nearest first, with their cosine distance', async () => {
    const { vectors } = open();
    const own = semanticScope();
    const [same, near, far, opposite] = [fresh(), fresh(), fresh(), fresh()] as const;
    const expiresAt = ANSWER.expiresAt;
    await vectors.write(own, far, { vector: vector(0, 1), expiresAt });
    await vectors.write(own, same, { vector: vector(2, 0), expiresAt });
    await vectors.write(own, opposite, { vector: vector(-1, 0), expiresAt });
    await vectors.write(own, near, { vector: vector(0.8, 0.6), expiresAt });
    const hits = await vectors.search(own, vector(1, 0), 10);
    expect(hits.map(({ inputHash }) => inputHash)).toEqual([same, near, far, opposite]);
    const distances = [0, 0.2, 1, 2];
    for (const [index, { distance }] of hits.entries()) expect(distance).toBeCloseTo(distances[index]!, 5);
    expect((await vectors.search(own, vector(1, 0), 2)).map(({ inputHash }) => inputHash)).toEqual([
      same,
      near,
    ]);
  });

  it('finds nothing of another scope, however near, though it is found within its own', async () => {
    const { vectors } = open();
    const [own, other, input] = [semanticScope(), semanticScope(), fresh()] as const;
    await vectors.write(other, input, { vector: vector(1, 0), expiresAt: ANSWER.expiresAt });
    expect(await vectors.search(other, vector(1, 0), 10)).toHaveLength(1);
    expect(await vectors.search(own, vector(1, 0), 10)).toEqual([]);
  });
});

describe('an item of the cache table that is no answer', () => {
  it('is refused by the reader', async () => {
    const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
    const [own, input] = [scope(), fresh()] as const;
    await database.client.send(
      new PutCommand({ TableName: database.tables.cache, Item: { pk: `X#${own}#${input}`, output: 7 } }),
    );
    await expect(dynamoDbStores().responses.read(own, input)).rejects.toThrow('malformed');
  });
});
