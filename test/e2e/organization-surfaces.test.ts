// The surfaces and the models of an organization's URL, and the paths below it that are not there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { bytesOf, MESSAGES, startOrganization } from './support/organization-stack.ts';
import { SOME_MODES, type Stack } from './support/stack.ts';

describe.each(SOME_MODES)("the surfaces of an organization's URL in %s transfer", (transferMode) => {
  let run: Awaited<ReturnType<typeof startOrganization>>;
  let stack: Stack;
  let key: string;
  let narrow: string;
  let get: typeof run.get;
  beforeAll(async () => {
    run = await startOrganization(transferMode);
    ({ stack, key, narrow, get } = run);
  });
  afterAll(() => stack?.stop());

  const idsOf = (answer: Answer) =>
    (answer.json()['data'] as readonly { readonly id: string }[]).map(({ id }) => id);

  it("serves Responses, Messages and embeddings by the same names, and its key in Anthropic's header", async () => {
    const post = (path: string, json: object, headers: Record<string, string> = {}) =>
      stack.call(`/v1/acme/${path}`, { json, headers: { authorization: `Bearer ${key}`, ...headers } });
    const response = await post('responses', { model: 'gpt-4.1-mini', input: 'Hello' });
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({
      model: 'gpt-4.1-mini',
      output: [{ content: [{ text: 'support' }] }],
    });
    for (const path of ['messages', 'v1/messages']) {
      const message = await stack.call(`/v1/acme/${path}`, {
        json: { model: 'any-thing', max_tokens: 50, messages: MESSAGES },
        headers: { 'x-api-key': key },
      });
      expect(message.json()).toMatchObject({ model: 'any-thing', content: [{ text: 'You said: Hello' }] });
    }
    const vectors = await post('embeddings', { model: 'text-embedding-3-small', input: ['a', 'b'] });
    expect(vectors.json()).toMatchObject({
      model: 'text-embedding-3-small',
      data: [{ index: 0 }, { index: 1 }],
    });
  });

  it.each([
    ['responses', { input: 'Hello' }, { error: { code: 'model_not_found' } }],
    ['messages', { max_tokens: 50, messages: MESSAGES }, { error: { type: 'not_found_error' } }],
    ['v1/messages', { max_tokens: 50, messages: MESSAGES }, { error: { type: 'not_found_error' } }],
    ['embeddings', { input: 'Hello' }, { error: { code: 'model_not_found' } }],
  ])('%s has one answer for a neuron that the key may not call and for none', async (path, body, error) => {
    const post = (model: string) =>
      stack.call(`/v1/acme/${path}`, {
        json: { ...body, model },
        headers: { authorization: `Bearer ${narrow}` },
      });
    const idless = ({ status, headers, text }: Answer) =>
      JSON.stringify([status, Object.keys(headers), text.replace(/"request_id":"[^"]+"/, '')]);
    const unknown = await post('nobody');
    expect(unknown.status).toBe(404);
    expect(unknown.json()).toMatchObject(error);
    for (const model of ['support', 'vectors', 'gpt-4.1-mini', 'text-embedding-3-small', 'pages']) {
      expect(idless(await post(model))).toBe(idless(unknown));
    }
    const keyless = await stack.call(`/v1/acme/${path}`, { json: { ...body, model: 'open' } });
    expect(keyless.status).toBe(401);
  });

  it('lists what the key may call', async () => {
    expect(idsOf(await get('models'))).toEqual([
      'coder',
      'open',
      'opus',
      'proxy',
      'first',
      'second',
      'support',
      'gpt-4.1-mini',
      'Meta/Llama 3',
      'vectors',
      'text-embedding-3-small',
    ]);
    expect(idsOf(await get('models', narrow))).toEqual(['coder', 'open']);
    expect((await get('models', narrow)).json()).toEqual({
      object: 'list',
      data: ['coder', 'open'].map((id) => ({ id, object: 'model', created: 0, owned_by: 'acme' })),
    });
  });

  it("lists them in Anthropic's form to its clients, by a key in their header, and below a second /v1", async () => {
    const version = { 'anthropic-version': '2023-06-01' };
    const ask = (path: string, headers: Record<string, string>) =>
      stack.call(`/v1/acme/${path}`, { method: 'GET', headers: { 'x-api-key': narrow, ...headers } });
    const list = await get('models', narrow, version);
    expect((await ask('models', version)).text).toBe(list.text);
    const below = await ask('v1/models', {});
    expect(below.text).toBe(list.text);
    expect(below.headers['request-id']).toBe(below.headers['x-execution-id']);
    expect((await ask('coder/v1/models', {})).json()).toMatchObject({ data: [{ id: 'acme/coder' }] });
    expect((await ask('v1/models/claude-x', {})).json()).toMatchObject({ type: 'model', id: 'claude-x' });
    const unknown = await ask('v1/models/support', {});
    expect([unknown.status, unknown.json()]).toMatchObject([404, { error: { type: 'not_found_error' } }]);
    expect(list.json()).toEqual({
      data: ['coder', 'open'].map((id) => ({
        type: 'model',
        id,
        display_name: id,
        created_at: '1970-01-01T00:00:00Z',
      })),
      has_more: false,
      first_id: 'coder',
      last_id: 'open',
    });
    expect((await get('models/gpt-4.1-mini', key, version)).json()).toMatchObject({
      type: 'model',
      id: 'gpt-4.1-mini',
      display_name: 'Support answers',
    });
  });

  it.each([
    ['models/support', 'support'],
    ['models/acme/support', 'acme/support'],
    ['models/acme%2Fsupport', 'acme/support'],
    ['models/gpt-4.1-mini', 'gpt-4.1-mini'],
    ['models/Meta%2FLlama%203', 'Meta/Llama 3'],
    ['models/claude-anything', 'claude-anything'],
  ])('GET %s is the model %s', async (path, id) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ id, object: 'model', created: 0, owned_by: 'acme' });
  });

  it('GET of a model that the key may not call is that of one that does not exist', async () => {
    const unknown = bytesOf(await get('models/nobody'));
    expect(JSON.parse(unknown)).toMatchObject({ status: 404 });
    for (const id of ['pages', 'inside', 'shop/support', '%2e%2e', 'a/b/c/d', '%E0%A4%A', 'support@v1']) {
      expect(bytesOf(await get(`models/${id}`))).toBe(unknown);
    }
  });

  it.each([
    ['GET', '/v1/acme/responses/resp_1'],
    ['POST', '/v1/acme/v1/messages/batches'],
    ['POST', '/v1/acme/completions'],
    ['GET', '/v1/acme/chat/completions'],
    ['POST', '/v1/acme/chat/completions/more'],
    ['POST', '/v1/acme/models'],
    ['POST', '/v1/acme/support/completions'],
    ['POST', '/v1/acme/support/audio/speech'],
    ['GET', '/v1/acme/support'],
    ['POST', '/v1/acme'],
    ['GET', '/v1'],
  ])("%s %s, which is not there, is an error in OpenAI's form", async (method, path) => {
    const answer = await stack.call(path, { method, ...(method === 'GET' ? {} : { json: {} }) });
    expect(answer.status).toBe(404);
    const { error } = answer.json() as {
      readonly error: { readonly message: string; readonly code: string };
    };
    expect(error.code).toBe('unknown_url');
    expect(error.message).toMatch(
      /^Unknown URL\. The base URLs \/v1\/\{organization\} and .* have POST chat\/completions, .*; use Chat Completions/,
    );
  });
});
