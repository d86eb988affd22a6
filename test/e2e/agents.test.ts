// Responses and Messages over real HTTP: the same neuron, run and log as on its own route, in the forms that coding agents read.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanEvents } from '../core/surfaces/responses/scan-events.ts';
import type { Answer } from './support/call.ts';
import { readEntry } from './support/log-entry.ts';
import { SOME_MODES, type Stack, startStack } from './support/stack.ts';

const ACCEPTS = 'accepts: [history, system, tools, images, schema, parameters, thinking, cacheControl]';
const neuron = (
  slug: string,
  more = '',
  model = `provider: demo, model: echo-1, maxTokens: 30000, ${ACCEPTS}`,
) => `neuron: acme/${slug}\n${more}\nflow: [{ callModel: { ${model} } }]`;
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo }, dead: { type: openai, baseUrl: "http://127.0.0.1:9/v1" } }',
  neuron('coder', 'access: { public: true }'),
  neuron('keyed', 'access: { apiKey: true }'),
  neuron('plain', 'access: { public: true }', 'provider: demo, model: echo-1'),
  neuron('dead', 'access: { public: true }', 'provider: dead, model: m, retries: 0'),
  neuron(
    'spent',
    'access: { public: true }\nrateLimits: [{ metric: requests, scope: total, limit: 1, period: 1d }]',
  ),
].join('\n---\n');

const errorOf = (answer: Answer) =>
  answer.json()['error'] as { readonly type: string; readonly message: string; readonly code?: string };

describe.each(SOME_MODES)('in %s transfer', (transferMode) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ transferMode, settings: SETTINGS });
  });
  afterAll(() => stack?.stop());

  const respond = (slug: string, members: object, headers = {}) =>
    stack.call(`/v1/acme/${slug}/responses`, { json: { model: slug, ...members }, headers });
  const message = (slug: string, members: object = {}, headers = {}) =>
    stack.call(`/v1/acme/${slug}/v1/messages`, {
      json: { model: slug, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...members },
      headers,
    });

  it('answers a response, and the same as events', async () => {
    const whole = await respond('coder', { input: 'Hello' });
    expect(whole.status).toBe(200);
    expect(whole.json()).toMatchObject({
      object: 'response',
      status: 'completed',
      store: false,
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'You said: Hello' }] }],
    });
    const { text, last, violations } = scanEvents(
      (await respond('coder', { input: 'Hello', stream: true })).text,
    );
    expect(violations).toEqual([]);
    expect(text).toBe('You said: Hello');
    expect(last?.status).toBe('completed');
    expect(last?.usage).toEqual(whole.json()['usage']);
  });

  it('answers a message on both of its routes, and the same as events', async () => {
    const whole = await message('coder');
    const habits = { metadata: { user_id: 'u' }, tools: [{ type: 'web_search_20250305', name: 'w' }] };
    expect((await message('coder', habits)).headers['x-neuron-left-out']).toBe('tools[0], metadata');
    expect(whole.json()).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: 'You said: Hello' }],
      stop_reason: 'end_turn',
    });
    const short = await stack.call('/v1/acme/coder/messages?beta=true', {
      json: { model: 'acme/coder', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
    });
    expect(short.json()).toMatchObject({ content: [{ text: 'You said: Hello' }] });
    const { text } = await message('coder', { stream: true });
    const events = text.trim().split('\n\n');
    expect(events[0]).toMatch(/^event: message_start\n/);
    expect(events.at(-1)).toBe('event: message_stop\ndata: {"type":"message_stop"}');
    const deltas = [...text.matchAll(/"type":"text_delta","text":"([^"]*)"/g)].map(([, one]) => one);
    expect(deltas.join('')).toBe('You said: Hello');
  });

  it('counts the tokens of a conversation without a run, within access and outside of limits', async () => {
    const count = (slug: string, members: object = {}, headers = {}, below = 'v1/messages') =>
      stack.call(`/v1/acme/${slug}/${below}/count_tokens?beta=true`, {
        json: { model: slug, messages: [{ role: 'user', content: 'Hello' }], ...members },
        headers,
      });
    const counted = await count('coder');
    expect([counted.status, counted.json()]).toEqual([200, { input_tokens: 17 }]);
    expect((await count('coder', {}, {}, 'messages')).json()).toEqual(counted.json());
    const tools = [{ name: 'look', input_schema: { type: 'object' } }];
    expect((await count('coder', { tools })).json()['input_tokens']).toBeGreaterThan(17 + 350);
    const entry = await readEntry<Record<string, unknown>>(stack, String(counted.headers['request-id']));
    expect(entry).toMatchObject({ reason: 'a count of tokens', tokensInput: 0, modelCalls: [] });
    // As the run would be refused, in the same form.
    expect((await count('keyed')).status).toBe(401);
    expect((await count('coder', { model: 'other' })).status).toBe(404);
    expect(errorOf(await count('plain', { system: 'Be brief.' })).type).toBe('invalid_request_error');
    expect(errorOf(await count('coder', { top_k: 5 })).message).toMatch(/^top_k/);
    // One request a day is all that this neuron has, and none of these is one.
    for (let calls = 0; calls < 3; calls += 1) expect((await count('spent')).status).toBe(200);
  });

  it('is one run on every surface: the same tokens in the log, and each its own line', async () => {
    const answers = [
      await stack.call('/acme/coder', { json: { input: 'Hello' } }),
      await respond('coder', { input: 'Hello' }),
      await message('coder'),
    ];
    const figures = await Promise.all(
      answers.map(async ({ headers }) => {
        const id = String(headers['x-execution-id']);
        const { tokensInput, tokensOutput, outcome } = await readEntry<Record<string, unknown>>(stack, id);
        return { tokensInput, tokensOutput, outcome };
      }),
    );
    expect(new Set(figures.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(figures[0]?.outcome).toBe('success');
  });

  it('takes the key in either header of Messages, or in both when they are one', async () => {
    const key = (await stack.operate(['keys', 'create', 'acme', '--name', 'agent'])).trim();
    const cases = [
      [{ 'x-api-key': key }, 200],
      [{ authorization: `Bearer ${key}` }, 200],
      [{ 'x-api-key': key, authorization: `Bearer ${key}` }, 200],
      [{ 'x-api-key': `${key}x`, authorization: `Bearer ${key}` }, 401],
      [{ 'x-api-key': key, authorization: 'Bearer other' }, 401],
      [{ 'x-api-key': '' }, 401],
      [{}, 401],
    ] as const;
    for (const [headers, status] of cases) {
      const answer = await message('keyed', {}, headers);
      expect([headers, answer.status]).toEqual([headers, status]);
      if (status === 401) {
        expect(errorOf(answer).type).toBe('authentication_error');
        // API Gateway gives the header another name (docs/verified.md).
        expect(Object.keys(answer.headers).some((name) => name.endsWith('www-authenticate'))).toBe(true);
        expect(answer.headers).toHaveProperty('request-id');
      }
    }
    // The header means nothing on other routes.
    expect((await respond('keyed', { input: 'Hello' }, { 'x-api-key': key })).status).toBe(401);
    expect((await respond('keyed', { input: 'Hello' }, { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  it('says errors in the form of each, with the words on which agents act', async () => {
    const dead = await respond('dead', { input: 'Hello', stream: true });
    expect([dead.status, errorOf(dead).type]).toEqual([503, 'server_error']);
    const state = await respond('coder', { input: 'Hello', previous_response_id: 'resp_1' });
    expect(errorOf(state)).toMatchObject({
      code: 'invalid_input',
      param: 'previous_response_id',
    });
    const unknown = await message('coder', { model: 'other' });
    expect([unknown.status, errorOf(unknown).type]).toEqual([404, 'not_found_error']);
    const refused = await message('plain', { system: 'Be brief.' });
    expect(errorOf(refused)).toMatchObject({ type: 'invalid_request_error' });
    await message('spent');
    const spent = await message('spent');
    expect([spent.status, errorOf(spent).type]).toEqual([429, 'billing_error']);
    expect(spent.headers['x-should-retry']).toBe('false');
    const quota = await respond('spent', { input: 'Hello' });
    expect(errorOf(quota).code).toBe('insufficient_quota');
  });

  it('gives an answer again to the same idempotency key, in the form of its route', async () => {
    for (const send of [
      (headers: object) => respond('coder', { input: 'Hello' }, headers),
      (headers: object) => message('coder', { stream: true }, headers),
    ]) {
      const headers = { 'idempotency-key': randomUUID() };
      const first = await send(headers);
      const second = await send(headers);
      expect(second.headers['idempotency-replayed']).toBe('true');
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
    }
  });
});
