// Embeddings over HTTP: their form, who may ask, what is charged, cached and logged, and what a provider can do wrong.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AccessStack, plantKey, readNeuron, startAccessStack } from './support/access-stack.ts';
import type { Answer } from './support/call.ts';
import { type EmbeddingModels, startEmbeddingModels, vectorOf } from './support/embedding-models.ts';
import { settled } from './support/served.ts';
import { ENGINE, isLocal } from './support/stack.ts';
import { findEntry } from './support/tables.ts';

const settings = (baseUrl: string) => `organization: acme
providers: { models: { type: openai, baseUrl: ${baseUrl} }, words: { type: lexical }, demo: { type: echo } }
prices: { models/e: { input: 1000, output: 0 } }
---
neuron: acme/open
access: { public: true }
receipt: true
logging: { bodies: full }
flow: [{ embed: { provider: models, model: e, retries: 0 } }]
---
neuron: acme/cached
access: { public: true }
receipt: true
caching: { exact: true }
flow: [{ embed: { provider: models, model: e, retries: 0 } }]
---
neuron: acme/fixed
access: { public: true }
flow: [{ embed: { provider: words, model: spelling, dimensions: 16 } }]
---
neuron: acme/keyed
access: { apiKey: true }
flow: [{ embed: { provider: words, model: spelling, dimensions: 16 } }]
---
neuron: acme/limited
access: { public: true }
rateLimits: [{ metric: tokens, scope: total, limit: 400, period: 1d }]
flow: [{ embed: { provider: models, model: e, retries: 0 } }]
---
neuron: acme/talk
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;

describe.runIf(isLocal && ENGINE === 'dynoxide')('embeddings', () => {
  let models: EmbeddingModels;
  let run: AccessStack;
  let key = '';

  beforeAll(async () => {
    models = await startEmbeddingModels();
    // One environment: the next call begins when the writes of the last one are done.
    run = await startAccessStack({ settings: settings(models.baseUrl), concurrency: 1 });
    const { organization } = await readNeuron(run.store, 'acme', 'keyed');
    key = (await plantKey(run.keys, organization.id)).key;
  });
  afterAll(async () => {
    await run?.stop();
    await models?.stop();
  });
  beforeEach(() => {
    models.answer = undefined;
    models.asked.length = 0;
  });

  const call = (neuron: string, body: object, headers: Record<string, string> = {}) =>
    settled(run.stack.call(`/v1/acme/${neuron}/embeddings`, { json: { model: neuron, ...body }, headers }));
  const vectorsOf = (answer: Answer) =>
    (answer.json()['data'] as { embedding: unknown }[]).map(({ embedding }) => embedding);
  const errorOf = (answer: Answer) => answer.json()['error'] as Record<string, unknown>;
  const entryOf = async (answer: Answer) => {
    const id = String(answer.headers['x-execution-id']);
    await expect.poll(() => findEntry(run, id), { message: `the entry of ${id}` }).toBeDefined();
    return { ...(await findEntry(run, id)) };
  };

  it('come in the order of their texts, with tokens, cost and an entry', async () => {
    const answer = await call('open', { input: ['one', 'three', 'né'], user: 'u', extra: 1 });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      object: 'list',
      data: ['one', 'three', 'né'].map((input, index) => ({
        ...{ object: 'embedding', index, embedding: vectorOf(input) },
      })),
      model: 'open',
      usage: { prompt_tokens: 10, total_tokens: 10 },
    });
    expect(answer.headers).toMatchObject({
      'x-cache': 'off',
      'x-cost-microdollars': '10000',
      'x-tokens-input': '10',
      'x-tokens-output': '0',
      'x-neuron-left-out': 'user, extra',
    });
    expect(answer.headers['x-request-id']).toBe(answer.headers['x-execution-id']);
    expect(await entryOf(answer)).toMatchObject({
      ...{ outcome: 'success', status: 200, tokensInput: 10, tokensOutput: 0, costMicrodollars: 10_000 },
      input: { kind: 'full', text: '["one","three","né"]' },
      output: { kind: 'full', text: expect.stringMatching(/^3 vectors of 3 numbers, SHA-256 [0-9a-f]{64}$/) },
      modelCalls: [{ provider: 'models', model: 'e', attempts: 1, estimated: false }],
      trace: [{ type: 'embed' }],
    });
  });

  it('come as base64 where a client asks for it, and in the dimensions that it wants', async () => {
    const answer = await call('open', { input: 'one', encoding_format: 'base64', dimensions: 4 });
    const [base64] = vectorsOf(answer).map(String);
    const bytes = Buffer.from(String(base64), 'base64');
    expect([0, 4, 8, 12].map((at) => bytes.readFloatLE(at))).toEqual(vectorOf('one', 4));
    expect(models.asked).toEqual([{ model: 'e', input: 'one', dimensions: 4, encoding_format: 'float' }]);
  });

  it('are made of tokens where the provider takes them, and nowhere else', async () => {
    expect(vectorsOf(await call('open', { input: [[5, 6], [7]] }))).toEqual([
      vectorOf([5, 6]),
      vectorOf([7]),
    ]);
    const rejected = await call('fixed', { input: [[5, 6], [7]] });
    expect(rejected.status).toBe(400);
    expect(errorOf(rejected)).toMatchObject({
      param: 'input',
      message: expect.stringContaining('check_embedding_ctx_length=False'),
    });
  });

  it('are asked of the cache text by text, and only new texts of the provider', async () => {
    const first = await call('cached', { input: ['a', 'bb', 'ccc', 'a'] });
    expect(first.headers['x-cache']).toBe('miss');
    const second = await call('cached', { input: ['dddd', 'bb', 'a', 'ee'] });
    expect(models.asked.map(({ input }) => input)).toEqual([
      ['a', 'bb', 'ccc', 'a'],
      ['dddd', 'ee'],
    ]);
    expect(vectorsOf(second)).toEqual(['dddd', 'bb', 'a', 'ee'].map((input) => vectorOf(input)));
    expect(second.headers).toMatchObject({ 'x-cache': 'miss', 'x-tokens-input': '6' });
    // 7,000 microdollars for 7 bytes: bb had cost 2,000 and a 1,000.
    expect(await entryOf(second)).toMatchObject({
      cache: 'miss',
      savingsMicrodollars: 3_000,
      tokensInput: 6,
    });
    const third = await call('cached', { input: 'ee' });
    expect(third.headers).toMatchObject({ 'x-cache': 'exact', 'x-cost-microdollars': '0' });
    expect(third.json()).toMatchObject({ usage: { prompt_tokens: 0, total_tokens: 0 } });
    expect(vectorsOf(third)).toEqual([vectorOf('ee')]);
    expect(await entryOf(third)).toMatchObject({
      ...{ cache: 'exact', cacheSource: second.headers['x-execution-id'], tokensInput: 0 },
      savingsMicrodollars: 2_000,
    });
    expect(models.asked).toHaveLength(2);
  });

  it('of other dimensions are never taken from the cache', async () => {
    const three = await call('cached', { input: 'same' });
    const four = await call('cached', { input: 'same', dimensions: 4 });
    expect([three, four].map((answer) => vectorsOf(answer)[0])).toEqual([
      vectorOf('same'),
      vectorOf('same', 4),
    ]);
    expect(models.asked).toHaveLength(2);
  });

  it('are made anew for a caller who passes the cache by', async () => {
    await call('cached', { input: 'by' });
    const again = await run.stack.call('/v1/acme/cached/embeddings?bypassCache=true', {
      json: { model: 'cached', input: 'by' },
    });
    expect(again.headers['x-cache']).toBe('bypass');
    expect(models.asked).toHaveLength(2);
  });

  it('are made once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'embed-1' };
    const first = await call('open', { input: ['x', 'y'] }, headers);
    const again = await call('open', { input: ['x', 'y'] }, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
    expect(models.asked).toHaveLength(1);
    expect((await call('open', { input: ['y', 'x'] }, headers)).status).toBe(400);
  });

  it('reserve their bytes, and are charged the tokens that were reported', async () => {
    // 3 · 64 and 30 bytes are reserved, 30 tokens charged: three calls fit in 400, since 90 + 222 do and so do 270 + 82.
    const input = ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(10)];
    for (const _time of [1, 2, 3]) expect((await call('limited', { input })).status).toBe(200);
    const denied = await call('limited', { input: ['d'.repeat(300)] });
    expect(denied.status).toBe(429);
    expect(errorOf(denied)).toMatchObject({ type: expect.any(String), code: expect.any(String) });
    expect(models.asked).toHaveLength(3);
  });

  it.each([
    ['none of two vectors', { data: [] }],
    ['one of two vectors', { data: [{ index: 0, embedding: [1, 2] }] }],
    ['the same index twice', { data: [0, 0].map((index) => ({ index, embedding: [1, 2] })) }],
    [
      'a vector with null',
      {
        data: [
          [1, 2],
          [1, null],
        ].map((embedding, index) => ({ index, embedding })),
      },
    ],
    [
      'a vector of zeros',
      {
        data: [
          [1, 2],
          [0, 0],
        ].map((embedding, index) => ({ index, embedding })),
      },
    ],
    ['vectors of two lengths', { data: [[1, 2], [1]].map((embedding, index) => ({ index, embedding })) }],
    ['no JSON object', 'vectors'],
  ])('are an error where the provider answers with %s, and nothing is cached', async (_what, body) => {
    models.answer = () => ({ status: 200, body });
    const input = [`first ${_what}`, `second ${_what}`];
    const failed = await call('cached', { input });
    expect(failed.status).toBe(503);
    models.answer = undefined;
    expect(vectorsOf(await call('cached', { input }))).toEqual(input.map((one) => vectorOf(one)));
    expect(models.asked.at(-1)?.input).toEqual(input);
  });

  it('say what is wrong with the dimensions of a caller, in words of ours', async () => {
    models.answer = () => ({
      status: 400,
      body: { error: { message: 'secret words', type: 'invalid_request_error', param: 'dimensions' } },
    });
    const rejected = await call('open', { input: 'one', dimensions: 5 });
    expect(rejected.status).toBe(400);
    expect(rejected.text).not.toContain('secret');
    expect(errorOf(rejected)['message']).toContain('"dimensions"');
    const fixed = await call('fixed', { input: 'one', dimensions: 5 });
    expect(errorOf(fixed)).toMatchObject({
      param: 'dimensions',
      message: expect.stringContaining('must be 16'),
    });
  });

  it('are refused in the form of OpenAI: without a key, with a wrong one, for another model', async () => {
    const answers = [
      await call('keyed', { input: 'one' }),
      await call('keyed', { input: 'one' }, { authorization: 'Bearer nrn_wrong' }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(errorOf(answer)).toMatchObject({ code: 'invalid_api_key', type: 'invalid_request_error' });
    }
    const admitted = await call('keyed', { input: 'one' }, { authorization: `Bearer ${key}` });
    expect(admitted.status).toBe(200);
    expect(vectorsOf(admitted)[0]).toHaveLength(16);
    const other = await call('open', { input: 'one', model: 'text-embedding-3-small' });
    expect([other.status, errorOf(other)['code']]).toEqual([404, 'model_not_found']);
    const nobody = await call('nobody', { input: 'one' });
    expect(nobody.status).toBe(404);
  });

  it('and conversations name the right route of a neuron that makes the other', async () => {
    const native = await run.stack.call('/acme/open', { json: { input: 'one' } });
    expect([native.status, native.json()['code']]).toEqual([422, 'not_accepted']);
    expect(native.text).toContain('POST /v1/acme/open/embeddings');
    const chat = await run.stack.call('/v1/acme/open/chat/completions', {
      json: { model: 'open', messages: [{ role: 'user', content: 'one' }] },
    });
    expect(chat.status).toBe(400);
    expect(chat.text).toContain('POST /v1/acme/open/embeddings');
    const vectors = await call('talk', { input: 'one' });
    expect(vectors.status).toBe(400);
    expect(vectors.text).toContain('POST /v1/acme/talk/chat/completions');
    expect(models.asked).toEqual([]);
  });

  it('are made for 2,048 texts, in calls of a hundred, and for no more', async () => {
    const input = Array.from({ length: 2_048 }, (_, index) => `t${index}`);
    const answer = await call('open', { input, encoding_format: 'base64' });
    expect(answer.status).toBe(200);
    const read = vectorsOf(answer).map((one) => Buffer.from(String(one), 'base64').readFloatLE(0));
    expect(read).toEqual(input.map(({ length }) => length));
    expect(models.asked).toHaveLength(21);
    expect((await call('open', { input: [...input, 'one more'] })).status).toBe(400);
  });

  it('answer a preflight', async () => {
    const answer = await run.stack.call('/v1/acme/open/embeddings', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-methods']).toContain('POST');
  });
});
