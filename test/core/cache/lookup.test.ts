// Looking an answer up: what is found, what ends it, and what fails without harm.
import { describe, expect, it } from 'vitest';
import { readExact } from '../../../core/cache/exact.ts';
import { planCaching } from '../../../core/cache/plan.ts';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import { type Embeddings, ProviderFailure } from '../../../core/ports/providers.ts';
import type { ResponseCacheStore, VectorIndex } from '../../../core/ports/response-cache.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryResponseCache, createMemoryVectorIndex } from '../../support/memory/response-cache.ts';
import { createTestCache, NOW_MS, requestOf, SEMANTIC, vectorAt } from './requests.ts';

const semantic = (input: string) => requestOf({ caching: { semantic: SEMANTIC }, input });
const never = () => new Promise<never>(() => undefined);

describe('an exact lookup', () => {
  it('finds what was stored under the same input alone', async () => {
    const cache = createTestCache();
    await cache.store(requestOf(), 'Hi.');
    expect(await cache.find(requestOf())).toMatchObject({ result: 'exact', found: { output: 'Hi.' } });
    expect(await cache.find(requestOf({ input: 'hello' }))).toMatchObject({ result: 'miss', failures: [] });
  });

  it.each([
    ['\ud800', '\ufffd'],
    ['a', 'a\u0000'],
    ['é', 'e\u0301'],
  ])('takes %j and %j for two inputs', async (one, other) => {
    const cache = createTestCache();
    await cache.store(requestOf({ input: one }), 'Hi.');
    expect((await cache.find(requestOf({ input: one }))).result).toBe('exact');
    expect((await cache.find(requestOf({ input: other }))).result).toBe('miss');
  });

  it('ends with the hour it was stored for, to the millisecond', async () => {
    const cache = createTestCache();
    await cache.store(requestOf(), 'Hi.');
    await cache.clock.advance(3_599_999);
    expect((await cache.find(requestOf())).result).toBe('exact');
    await cache.clock.advance(1);
    expect((await cache.find(requestOf())).result).toBe('miss');
  });

  it('ends with a ttl that was made shorter since', async () => {
    const cache = createTestCache();
    await cache.store(requestOf(), 'Hi.');
    await cache.clock.advance(60_000);
    expect((await cache.find(requestOf({ caching: { exact: true, ttl: '2m' } }))).result).toBe('exact');
    expect((await cache.find(requestOf({ caching: { exact: true, ttl: '1m' } }))).result).toBe('miss');
  });

  it.each<[string, Partial<ResponseCacheStore>]>([
    ['throws', { read: () => Promise.reject(new Error('down')) }],
    [
      'throws at once',
      {
        read: () => {
          throw new Error('down');
        },
      },
    ],
  ])('is a miss with a failure when the store %s', async (_name, broken) => {
    const cache = createTestCache({ responses: { ...createMemoryResponseCache(), ...broken } });
    expect(await cache.find(requestOf())).toMatchObject({ result: 'miss', failures: ['read'] });
  });

  it('waits 500 ms for the store and no longer', async () => {
    const clock = createMemoryClock(NOW_MS);
    const plan = planCaching(requestOf());
    if (plan.kind !== 'use') throw new Error('this request is cached');
    const read = readExact(plan.key, { clock, responses: { read: never, write: async () => undefined } });
    await clock.advance(499);
    expect(await Promise.race([read, Promise.resolve('waiting')])).toBe('waiting');
    await clock.advance(1);
    expect(await read).toEqual({ kind: 'failed' });
    expect(clock.sleepers).toBe(0);
  });
});

describe('a semantic lookup', () => {
  it('finds the nearest whose similarity reaches the threshold', async () => {
    const degrees: Record<string, number> = { start: 0, near: 10, far: 30, between: 18 };
    const cache = createTestCache({
      findEmbedding: () => ({
        embed: async ({ inputs }) => ({
          vectors: [vectorAt(degrees[String(inputs[0])] ?? 0)],
          tokensInput: 4,
        }),
      }),
    });
    await cache.store(semantic('start'), 'first');
    await cache.store(semantic('far'), 'second');
    const near = await cache.find(semantic('near'));
    expect(near).toMatchObject({ result: 'semantic', found: { output: 'first' }, failures: [] });
    // cos 10° is 0.98481.
    expect(near.distance).toBeCloseTo(0.01519, 4);
    // cos 18° is 0.95106, cos 12° is 0.97815: the one at 30° is nearer.
    expect((await cache.find(semantic('between'))).found?.output).toBe('second');
    const strict = requestOf({ caching: { semantic: { ...SEMANTIC, threshold: 0.99 } }, input: 'near' });
    expect((await cache.find(strict)).result).toBe('miss');
  });

  it('accounts for the embedding of a hit and of a miss', async () => {
    const cache = createTestCache();
    const missed = await cache.find(semantic('one'));
    expect(missed.embedding).toEqual({
      provider: 'models',
      model: 'e',
      modelVersion: undefined,
      finish: 'embedding',
      tokensInput: 4,
      tokensOutput: 0,
      costMicrodollars: 8,
      estimated: false,
      attempts: 1,
      latencyMs: 0,
    });
    await cache.store(semantic('one'), 'first');
    expect((await cache.find(semantic('two'))).result).toBe('miss');
    expect((await cache.find(semantic('one again'))).embedding?.tokensInput).toBe(4);
  });

  it('reserves the most that an embedding may take, settles what it took, and asks for none without room', async () => {
    const booked: unknown[] = [];
    const reserve = async (most: unknown) => {
      booked.push(most);
      return { settle: (spent: unknown) => void booked.push(spent) };
    };
    await createTestCache({ reserve }).find(semantic('one'));
    // Three bytes and 64 for the message, then what the provider counted, at two microdollars each.
    expect(booked).toEqual([
      { tokens: 67, costMicrodollars: 134 },
      { tokens: 4, costMicrodollars: 8 },
    ]);
    const full = createTestCache({ reserve: () => Promise.reject(new Error('no room')) });
    const found = await full.find(semantic('one'));
    expect(found).toMatchObject({ result: 'miss', failures: ['embedding'], embedding: undefined });
  });

  it('passes over what has ended and takes the next', async () => {
    const cache = createTestCache();
    await cache.store(semantic('old'), 'old');
    await cache.clock.advance(3_000_000);
    await cache.store(
      requestOf({ caching: { semantic: { ...SEMANTIC, threshold: 1 } }, input: 'new' }),
      'new',
    );
    await cache.clock.advance(1_000_000);
    expect((await cache.find(semantic('asked'))).found?.output).toBe('new');
  });

  it('reads the answers of all that are near at once, and none that is not', async () => {
    const memory = createMemoryResponseCache();
    const waiting: (() => void)[] = [];
    const cache = createTestCache({
      responses: {
        ...memory,
        read: async (...key) => {
          await new Promise<void>((resolve) => waiting.push(resolve));
          return memory.read(...key);
        },
      },
      vectors: {
        ...createMemoryVectorIndex(),
        search: async () =>
          [0, 0.01, 0.02, 0.5].map((distance, n) => ({ inputHash: String(n).repeat(64), distance })),
      },
    });
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const found = cache.find(semantic('one'));
    const together: number[] = [];
    for (let step = 0; step < 2; step += 1) {
      await settled();
      together.push(waiting.length);
      for (const resolve of waiting.splice(0)) resolve();
    }
    expect(await found).toMatchObject({ result: 'miss', failures: [] });
    // The exact read, then those within the threshold.
    expect(together).toEqual([1, 3]);
  });

  it.each(['', '  \n', 'é'.repeat(4_097)])(
    'asks for no embedding of nothing, nor of more than 8,192 bytes, and evaluates no condition on them',
    async (input) => {
      const asked = () => {
        throw new Error('asked');
      };
      const cache = createTestCache({ findEmbedding: asked, outcomes: asked });
      expect(await cache.find(semantic(input))).toMatchObject({ result: 'miss', failures: [] });
    },
  );

  it.each<[string, () => Promise<Embeddings>, string, number]>([
    ['fails', () => Promise.reject(new ProviderFailure('unavailable')), 'unavailable', 0],
    ['is cut', () => Promise.reject(new ProviderFailure('malformed_answer')), 'malformed_answer', 67],
    [
      'has 511 numbers',
      async () => ({ vectors: [vectorAt(0).slice(1)], tokensInput: 4 }),
      'malformed_answer',
      67,
    ],
    ['is zero', async () => ({ vectors: [vectorAt(0).fill(0)], tokensInput: 4 }), 'malformed_answer', 67],
    [
      'holds no number',
      async () => ({ vectors: [vectorAt(0).fill(Number.NaN)], tokensInput: 4 }),
      'malformed_answer',
      67,
    ],
  ])(
    'is a miss with a failure when the embedding %s, and counts what it may have used',
    async (_name, embed, finish, tokensInput) => {
      const cache = createTestCache({ findEmbedding: () => ({ embed }) });
      const { result, failures, embedding, semantic: entry } = await cache.find(semantic('one'));
      expect({ result, failures, entry }).toEqual({
        result: 'miss',
        failures: ['embedding'],
        entry: undefined,
      });
      // Three bytes and 64 for the message.
      expect(embedding).toMatchObject({ finish, tokensInput });
    },
  );

  it('gives an embedding 300 ms, aborts it, and continues without it', async () => {
    let stopped = false;
    const clock = createMemoryClock(NOW_MS);
    const late = createTestCache({
      clock,
      findEmbedding: () => ({
        embed: ({ signal }) => {
          signal.addEventListener('abort', () => {
            stopped = true;
          });
          return never();
        },
      }),
    });
    const found = late.find(semantic('one'));
    await clock.advance(300);
    expect(await found).toMatchObject({
      result: 'miss',
      failures: ['embedding'],
      embedding: { finish: 'timeout' },
    });
    expect(stopped).toBe(true);
  });

  it('leaves embeddings alone after five that failed in a row', async () => {
    let asked = 0;
    const cache = createTestCache({
      breakers: createCircuitBreakers(createMemoryClock(NOW_MS)).within('org-1'),
      findEmbedding: () => ({
        embed: () => {
          asked += 1;
          return Promise.reject(new ProviderFailure('unavailable'));
        },
      }),
    });
    for (let call = 0; call < 7; call += 1) await cache.find(semantic('one'));
    expect(asked).toBe(5);
    expect(await cache.find(semantic('one'))).toMatchObject({
      failures: ['embedding'],
      embedding: undefined,
    });
  });

  it.each<[string, Partial<VectorIndex>]>([
    ['throws', { search: () => Promise.reject(new Error('down')) }],
    ['gives no list', { search: async () => 'garbage' as never }],
    [
      'gives a distance that is none',
      { search: async () => [{ inputHash: '0'.repeat(64), distance: Number.NaN }] },
    ],
    ['gives a hash that is none', { search: async () => [{ inputHash: '../etc', distance: 0 }] }],
    ['gives nothing of a hit', { search: async () => [{}] as never }],
  ])('is a miss with a failure when the search %s', async (_name, broken) => {
    const cache = createTestCache({ vectors: { ...createMemoryVectorIndex(), ...broken } });
    expect(await cache.find(semantic('one'))).toMatchObject({ result: 'miss', failures: ['search'] });
  });
});
