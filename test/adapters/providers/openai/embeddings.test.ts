// Embeddings of an OpenAI-compatible endpoint.
import { describe, expect, it } from 'vitest';
import { createOpenaiEmbeddings } from '../../../../adapters/providers/openai/embeddings.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createFakeHttp, type FakeAnswer } from '../fake-http.ts';

const signal = new AbortController().signal;
const secrets = createMemorySecretReader(new Map([['org-1/providers/openai-key', 'sk-one']]));

function embed(answer: FakeAnswer, withKey = false) {
  const { http, requests } = createFakeHttp(answer);
  const provider = createOpenaiEmbeddings(
    {
      type: 'openai',
      baseUrl: 'https://models.example.com/v1/?api-version=2',
      ...(withKey ? { apiKey: { secret: 'openai-key' } } : {}),
    },
    { organizationId: 'org-1', secrets, http, clock: createMemoryClock(0) },
  );
  return { requests, result: provider.embed({ model: 'e-1', inputs: ['Hello'], dimensions: 3, signal }) };
}

const answer = (embedding: unknown, usage: unknown = { prompt_tokens: 2 }): FakeAnswer => ({
  status: 200,
  body: { data: [{ index: 0, embedding }], usage },
});

describe('an embedding', () => {
  it('is asked for with key, model, text and length', async () => {
    const { requests, result } = embed(answer([0.6, 0, -0.8]), true);
    expect(await result).toEqual({ vectors: [[0.6, 0, -0.8]], tokensInput: 2 });
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://models.example.com/v1/embeddings?api-version=2',
      headers: { authorization: 'Bearer sk-one' },
      signal,
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      model: 'e-1',
      input: 'Hello',
      dimensions: 3,
      encoding_format: 'float',
    });
  });

  it('says nothing on tokens where the endpoint did not', async () => {
    const { requests, result } = embed(answer([1, 0, 0], {}));
    expect(await result).toEqual({ vectors: [[1, 0, 0]], tokensInput: undefined });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['of another length', answer([1, 0])],
    ['of zeros', answer([0, 0, 0])],
    ['with a text in it', answer([1, '0', 0])],
    ['with null in it', answer([1, null, 0])],
    ['that is none', { status: 200, body: { data: [] } }],
    ['in an answer that is no JSON', { status: 200, body: '<html>' }],
  ] satisfies [string, FakeAnswer][])('refuses a vector %s', async (_name, options) => {
    await expect(embed(options).result).rejects.toMatchObject({ kind: 'malformed_answer' });
  });

  it('fails as text calls do where the endpoint refuses', async () => {
    await expect(embed({ status: 429, body: {} }).result).rejects.toMatchObject({ kind: 'rate_limited' });
    await expect(embed({ status: 401, body: {} }).result).rejects.toMatchObject({ kind: 'configuration' });
  });
});

describe('several embeddings', () => {
  const many = (body: unknown, inputs: readonly (string | readonly number[])[]) => {
    const { http, requests } = createFakeHttp({ status: 200, body });
    const settings = { type: 'openai', baseUrl: 'https://models.example.com/v1' } as const;
    const ports = { organizationId: 'org-1', secrets, http, clock: createMemoryClock(0) };
    const provider = createOpenaiEmbeddings(settings, ports);
    return { requests, result: provider.embed({ model: 'e-1', inputs, dimensions: undefined, signal }) };
  };
  const item = (index: number | undefined, ...embedding: number[]) => ({ index, embedding });

  it('are put in the order of their index, without dimensions where nobody wants some', async () => {
    const data = [item(2, 3), item(0, 1), item(1, 2)];
    const body = { model: 'e-1-2026', data, usage: { prompt_tokens: 7 } };
    const { requests, result } = many(body, ['a', 'b', 'c']);
    expect(await result).toEqual({ vectors: [[1], [2], [3]], tokensInput: 7, modelVersion: 'e-1-2026' });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      model: 'e-1',
      input: ['a', 'b', 'c'],
      encoding_format: 'float',
    });
  });

  it('keep the order of an endpoint that counts none', async () => {
    expect(
      (await many({ data: [item(undefined, 5), item(undefined, 6)] }, ['a', 'b']).result).vectors,
    ).toEqual([[5], [6]]);
  });

  it('are sent as ids of tokens where the caller has those', async () => {
    const { requests, result } = many({ data: [item(0, 1)] }, [[9906, 1917]]);
    await result;
    expect(JSON.parse(requests[0]?.body ?? '').input).toEqual([[9906, 1917]]);
  });

  it.each([
    ['one too few', [item(0, 1)]],
    ['one too many', [item(0, 1), item(1, 2), item(2, 3)]],
    ['one index twice', [item(0, 1), item(0, 2)]],
    ['an index beyond the last', [item(0, 1), item(2, 2)]],
    ['an index below the first', [item(-1, 1), item(1, 2)]],
    ['an index that is no whole number', [item(0.5, 1), item(1, 2)]],
    ['vectors of different lengths', [item(0, 1), item(1, 1, 2)]],
    ['numbers too large for 32 bits', [item(0, 1e39), item(1, 1)]],
    ['a vector that is zero in 32 bits', [item(0, 1e-60), item(1, 1)]],
  ])('are malformed with %s', async (_what, data) => {
    await expect(many({ data }, ['a', 'b']).result).rejects.toMatchObject({ kind: 'malformed_answer' });
  });

  it('take a call for every hundred', async () => {
    const inputs = Array.from({ length: 201 }, (_, index) => `t${index}`);
    const { http, requests } = createFakeHttp({ status: 500, body: {} });
    const settings = { type: 'openai', baseUrl: 'https://models.example.com/v1' } as const;
    const ports = { organizationId: 'org-1', secrets, http, clock: createMemoryClock(0) };
    const failing = createOpenaiEmbeddings(settings, ports).embed({
      model: 'e',
      inputs,
      dimensions: 2,
      signal,
    });
    await expect(failing).rejects.toMatchObject({ kind: 'unavailable' });
    expect(requests.map(({ body }) => [JSON.parse(body ?? '').input].flat().length)).toEqual([100, 100, 1]);
  });
});
