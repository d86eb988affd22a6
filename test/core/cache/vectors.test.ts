// Vectors in the exact cache, one for each text: what names them, who shares them, what spoils them.
import { describe, expect, it } from 'vitest';
import { hashEmbeddingInput, readVectors, toVectorLookup } from '../../../core/cache/vectors.ts';
import { toCachedVectors, writeVectors } from '../../../core/cache/write-vectors.ts';
import type { FlowResult } from '../../../core/flow/run.ts';
import type { CachedAnswer, CacheScope, ResponseCacheStore } from '../../../core/ports/response-cache.ts';
import { type EmbedStep, embedOf, flowSchema } from '../../../core/settings/flow-schema.ts';
import { encodeFloat32 } from '../../../core/text/float32.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';

const stepOf = (more: object = {}): EmbedStep =>
  embedOf(flowSchema.parse([{ embed: { provider: 'words', model: 'm', ...more } }])) as EmbedStep;
const KEY = { scope: 's' as CacheScope, ttlMs: 60_000 };
const INPUTS = ['a', 'bbb', 'a'];
const VECTORS = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(1, 0)];
const CALL = { provider: 'words', model: 'm' };
const RESULT = {
  ...{ kind: 'done', output: 'described', stopped: false, vectors: VECTORS },
  ...{ costMicrodollars: 11, tokensInput: 10, tokensOutput: 0, modelCalls: [CALL], trace: [] },
} as unknown as FlowResult;
const HASHES = INPUTS.map((input) => hashEmbeddingInput(input, stepOf(), { dimensions: undefined }));
const ORIGIN = {
  ...{ key: KEY, hashes: HASHES, inputs: INPUTS, known: undefined, step: stepOf() },
  ...{ executionId: 'e1', nowMs: 1_000 },
};

const ports = (responses: ResponseCacheStore = createMemoryResponseCache(), nowMs = 1_000) => ({
  responses,
  clock: createMemoryClock(nowMs),
});

describe('the name of a text', () => {
  it('differs with everything that decides on its vector', () => {
    const none = { dimensions: undefined };
    const names = [
      hashEmbeddingInput('a', stepOf(), none),
      hashEmbeddingInput('b', stepOf(), none),
      hashEmbeddingInput('a', stepOf({ model: 'n' }), none),
      hashEmbeddingInput('a', stepOf({ provider: 'other' }), none),
      hashEmbeddingInput('a', stepOf({ inputType: 'search_query' }), none),
      hashEmbeddingInput('a', stepOf({ inputType: 'search_document' }), none),
      hashEmbeddingInput('a', stepOf(), { dimensions: 64 }),
      hashEmbeddingInput('a', stepOf(), { dimensions: 65 }),
      hashEmbeddingInput([1, 2], stepOf(), none),
      hashEmbeddingInput('[1,2]', stepOf(), none),
      hashEmbeddingInput([1], stepOf(), none),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  it('is the same for dimensions of the step and of the caller', () => {
    expect(hashEmbeddingInput('a', stepOf({ dimensions: 64 }), { dimensions: undefined })).toBe(
      hashEmbeddingInput('a', stepOf(), { dimensions: 64 }),
    );
  });
});

describe('cached vectors', () => {
  it('are found where they were written, by text, with their share of the cost', async () => {
    const { responses, clock } = ports();
    const answers = toCachedVectors(RESULT, ORIGIN);
    // 1, 3 and 1 of 5 bytes: floors of 11 · 1/5 and 11 · 3/5.
    expect([...answers.values()].map((one) => [one.costMicrodollars, one.tokensInput])).toEqual([
      [2, 2],
      [6, 6],
    ]);
    await writeVectors(KEY, answers, responses);
    const reads = await readVectors(KEY, HASHES, { responses, clock });
    expect(toVectorLookup(reads)).toMatchObject({
      ...{ result: 'exact', vectors: VECTORS, failures: [], savedMicrodollars: 10 },
      found: { executionId: 'e1', output: expect.stringMatching(/^3 vectors of 2 numbers/) },
    });
    const some = await readVectors(KEY, ['unknown', ...HASHES.slice(1)], { responses, clock });
    expect(toVectorLookup(some)).toMatchObject({
      ...{ result: 'miss', vectors: [undefined, VECTORS[1], VECTORS[2]], savedMicrodollars: 8 },
    });
    expect(toVectorLookup(some).found).toBeUndefined();
    const other = await readVectors({ ...KEY, scope: 't' as CacheScope }, HASHES, { responses, clock });
    expect(toVectorLookup(other)).toMatchObject({
      result: 'miss',
      vectors: [undefined, undefined, undefined],
    });
  });

  it('are not written again, nor those of a fallback, a failure or a run without vectors', () => {
    const known = [VECTORS[0], undefined, VECTORS[2]];
    expect([...toCachedVectors(RESULT, { ...ORIGIN, known }).keys()]).toEqual([HASHES[1]]);
    const by = (modelCalls: object[]) => ({ ...RESULT, modelCalls }) as unknown as FlowResult;
    expect(toCachedVectors(by([CALL, { ...CALL, model: 'n' }]), ORIGIN).size).toBe(0);
    expect(toCachedVectors(by([{ ...CALL, provider: 'x' }]), ORIGIN).size).toBe(0);
    expect(toCachedVectors({ ...RESULT, kind: 'failed' } as unknown as FlowResult, ORIGIN).size).toBe(0);
    expect(toCachedVectors({ ...RESULT, vectors: undefined } as unknown as FlowResult, ORIGIN).size).toBe(0);
    expect(toCachedVectors(undefined, ORIGIN).size).toBe(0);
  });

  it('have no cost where the run has none that is known', () => {
    const unknown = { ...RESULT, costMicrodollars: null };
    expect([...toCachedVectors(unknown, ORIGIN).values()].map((one) => one.costMicrodollars)).toEqual([
      null,
      null,
    ]);
  });

  const stored = (output: string, more: Partial<CachedAnswer> = {}): CachedAnswer => ({
    ...{ output, costMicrodollars: 1, tokensInput: 1, tokensOutput: 0, executionId: 'e0' },
    ...{ storedAtMs: 1_000, expiresAt: 61, ...more },
  });

  it.each([
    ['an answer of text', stored('Hello')],
    ['half a number', stored('AACA')],
    ['an infinite number', stored(encodeFloat32(Float32Array.of(Number.POSITIVE_INFINITY)))],
    ['one that has expired', stored(encodeFloat32(Float32Array.of(1)), { expiresAt: 1 })],
    [
      'one that is older than the time to live now',
      stored(encodeFloat32(Float32Array.of(1)), { storedAtMs: -60_000 }),
    ],
  ])('are not read from %s', async (_what, answer) => {
    const { responses, clock } = ports();
    await responses.write(KEY.scope, 'h', answer);
    expect((await readVectors(KEY, ['h'], { responses, clock })).found).toEqual([undefined]);
  });

  it('have one length: of two, only those of the first', async () => {
    const { responses, clock } = ports();
    await responses.write(KEY.scope, 'one', stored(encodeFloat32(Float32Array.of(1))));
    await responses.write(KEY.scope, 'two', stored(encodeFloat32(Float32Array.of(1, 2))));
    const { found } = await readVectors(KEY, ['one', 'two', 'one'], { responses, clock });
    expect(found.map((one) => one?.vector.length)).toEqual([1, undefined, 1]);
  });

  it('are absent with a failure where the store throws, or is late', async () => {
    const broken = { ...createMemoryResponseCache(), read: () => Promise.reject(new Error('throttled')) };
    expect(await readVectors(KEY, HASHES, ports(broken))).toEqual({
      found: [undefined, undefined, undefined],
      hasFailed: true,
    });
    const silent = { ...createMemoryResponseCache(), read: () => new Promise<undefined>(() => undefined) };
    const { clock, responses } = ports(silent);
    const late = readVectors(KEY, HASHES, { clock, responses });
    await clock.advance(500);
    expect(toVectorLookup(await late)).toMatchObject({ result: 'miss', failures: ['read'] });
  });

  it('are read once for a text that is there more often', async () => {
    const asked: string[] = [];
    const { responses, clock } = ports();
    const counting: ResponseCacheStore = {
      ...responses,
      read(scope, hash) {
        asked.push(hash);
        return responses.read(scope, hash);
      },
    };
    await readVectors(KEY, HASHES, { responses: counting, clock });
    expect(asked).toEqual([HASHES[0], HASHES[1]]);
  });
});
