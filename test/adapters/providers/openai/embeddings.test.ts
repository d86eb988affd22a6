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
  return { requests, result: provider.embed({ model: 'e-1', text: 'Hello', dimensions: 3, signal }) };
}

const answer = (embedding: unknown, usage: unknown = { prompt_tokens: 2 }): FakeAnswer => ({
  status: 200,
  body: { data: [{ index: 0, embedding }], usage },
});

describe('an embedding', () => {
  it('is asked for with key, model, text and length', async () => {
    const { requests, result } = embed(answer([0.6, 0, -0.8]), true);
    expect(await result).toEqual({ vector: [0.6, 0, -0.8], tokensInput: 2 });
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
    expect(await result).toEqual({ vector: [1, 0, 0], tokensInput: undefined });
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
