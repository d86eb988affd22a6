// Embeddings of Cohere on Bedrock, and of several texts.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBedrockEmbeddings } from '../../../../adapters/providers/bedrock/embed.ts';
import type { EmbeddingRequest } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createFakeHttp, type FakeAnswer } from '../fake-http.ts';

const signal = new AbortController().signal;
const clock = createMemoryClock(0);
const settings = { type: 'bedrock', region: 'us-east-1' } as const;
const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret-key');
  vi.stubEnv('AWS_SESSION_TOKEN', 'a-token');
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', '');
});
afterEach(() => vi.unstubAllEnvs());

describe('embeddings of Cohere', () => {
  const cohere = (answer: FakeAnswer, request: Partial<EmbeddingRequest> = {}) => {
    const { http, requests } = createFakeHttp(answer);
    const model = 'cohere.embed-v4:0';
    const inputs = ['one', 'two'];
    const result = createBedrockEmbeddings(settings, { http, clock }).embed({
      ...{ model, inputs, dimensions: undefined, inputType: 'search_query', signal },
      ...request,
    });
    return { requests, result };
  };
  const FLOATS = {
    embeddings: {
      float: [
        [1, 0],
        [0, 1],
      ],
    },
    response_type: 'embeddings_by_type',
  };

  it('are asked for with the use of the vectors, and counted by a header', async () => {
    const headers = { 'x-amzn-bedrock-input-token-count': '6' };
    const { requests, result } = cohere({ status: 200, headers, body: FLOATS });
    expect(await result).toEqual({
      vectors: [
        [1, 0],
        [0, 1],
      ],
      tokensInput: 6,
    });
    expect(bodyOf(requests[0]?.body)).toEqual({
      texts: ['one', 'two'],
      input_type: 'search_query',
      embedding_types: ['float'],
    });
  });

  it('have the dimensions that v4 is asked for', async () => {
    const body = { embeddings: { float: [new Array(256).fill(0.5)] } };
    const { requests, result } = cohere(
      { status: 200, body },
      { model: 'global.cohere.embed-v4:0', inputs: ['one'], dimensions: 256 },
    );
    expect((await result).tokensInput).toBeUndefined();
    expect(bodyOf(requests[0]?.body)).toMatchObject({ output_dimension: 256 });
  });

  it('of v3 have one length, in the form without types too', async () => {
    const model = 'cohere.embed-multilingual-v3';
    const body = {
      embeddings: [
        [1, 0],
        [0, 1],
      ],
      response_type: 'embeddings_floats',
    };
    const { requests, result } = cohere({ status: 200, body }, { model });
    expect((await result).vectors).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(bodyOf(requests[0]?.body)).not.toHaveProperty('output_dimension');
    const other = cohere({ status: 200, body }, { model, dimensions: 512 });
    await expect(other.result).rejects.toMatchObject({ kind: 'configuration', members: ['dimensions'] });
    expect(other.requests).toEqual([]);
  });

  it('take a call for every 96 texts, of Titan for every text', async () => {
    const inputs = new Array<string>(97).fill('x');
    const split = cohere({ status: 429, body: {} }, { inputs });
    await expect(split.result).rejects.toMatchObject({ kind: 'rate_limited' });
    expect(split.requests.map(({ body }) => JSON.parse(body ?? '').texts.length)).toEqual([96, 1]);
    const answer = { status: 200, body: { embedding: [0.6, 0.8], inputTextTokenCount: 2 } };
    const titan = cohere(answer, { model: 'amazon.titan-embed-text-v2:0', inputs: inputs.slice(0, 5) });
    expect(await titan.result).toEqual({
      vectors: new Array(5).fill([0.6, 0.8]),
      tokensInput: 10,
      modelVersion: undefined,
    });
    expect(titan.requests.map(({ body }) => bodyOf(body))).toEqual(
      new Array(5).fill({ inputText: 'x', normalize: true }),
    );
  });

  it.each([
    ['one vector too few', { embeddings: { float: [[1, 0]] } }],
    [
      'vectors of another type',
      {
        embeddings: {
          int8: [
            [1, 0],
            [0, 1],
          ],
        },
      },
    ],
    ['no vectors', {}],
  ])('are malformed with %s', async (_what, body) => {
    await expect(cohere({ status: 200, body }).result).rejects.toMatchObject({ kind: 'malformed_answer' });
  });
});
