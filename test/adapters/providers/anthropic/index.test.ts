// The Anthropic provider against the published examples, and against answers of their shape that are named invented.

import { describe, expect, it } from 'vitest';
import { HttpFailure } from '../../../../adapters/http/failure.ts';
import { createAnthropicProvider } from '../../../../adapters/providers/anthropic/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createFakeHttp, type FakeAnswer } from '../fake-http.ts';
import { readAnthropicFixture as fixture } from './fake-anthropic.ts';

const signal = new AbortController().signal;
const HELLO: ModelRequest = {
  model: 'claude-haiku-4-5',
  system: [],
  messages: [userMessage('Hello')],
  maxTokens: 5,
  signal,
};
const secrets = createMemorySecretReader(new Map([['org-1/providers/claude-key', 'sk-ant-one']]));

function call(
  answer: FakeAnswer | Error,
  request: Partial<ModelRequest> = {},
  baseUrl = 'https://api.anthropic.com',
) {
  const { http, openHttp, requests } = createFakeHttp(answer);
  const provider = createAnthropicProvider(
    { type: 'anthropic', baseUrl, apiKey: { secret: 'claude-key' } },
    { organizationId: 'org-1', secrets, http, openHttp, clock: createMemoryClock(0) },
  );
  return { requests, result: provider.generate({ ...HELLO, ...request }) };
}

const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');

describe('the request', () => {
  it('is a message with the key, the version of the API, the prompt and the limit', async () => {
    const { requests, result } = call(fixture('message'));
    await result;
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.anthropic.com/v1/messages',
      headers: {
        'x-api-key': 'sk-ant-one',
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      signal,
    });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
    expect(bodyOf(requests[0]?.body)).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('carries the system text and every setting that the API has, a temperature of at most 1', async () => {
    const { requests, result } = call(fixture('message'), {
      system: [{ text: 'Be brief.' }],
      temperature: 1.7,
      topP: 0.9,
      stopSequences: ['END'],
      seed: 4,
    });
    await result;
    expect(bodyOf(requests[0]?.body)).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 5,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello' }],
      temperature: 1,
      top_p: 0.9,
      stop_sequences: ['END'],
    });
  });

  it.each([
    ['https://api.anthropic.com/', 'https://api.anthropic.com/v1/messages'],
    ['https://api.anthropic.com/v1', 'https://api.anthropic.com/v1/messages'],
    ['https://gateway.example.com/claude', 'https://gateway.example.com/claude/v1/messages'],
  ])('to %s goes to %s', async (baseUrl, url) => {
    const { requests, result } = call(fixture('message'), {}, baseUrl);
    await result;
    expect(requests[0]?.url).toBe(url);
  });
});

describe('the answer', () => {
  it('is the text of the message, with what it used', async () => {
    expect(await call(fixture('message')).result).toEqual({
      text: "Here's the answer to your question...",
      finish: 'stop',
      usage: { input: 100, output: 50 },
      modelVersion: undefined,
    });
  });

  it('joins blocks of text, keeps thinking apart, and counts what came from the prompt cache', async () => {
    expect(await call(fixture('invented-cached')).result).toEqual({
      text: 'One two.',
      blocks: [
        { type: 'thought', thought: { origin: 'anthropic', text: 'Hm.', payload: 'c2ln' } },
        { type: 'text', text: 'One ' },
        { type: 'text', text: 'two.' },
      ],
      finish: 'stop',
      usage: { input: 330, output: 7, cachedInput: 300, cacheWrite: 20 },
      modelVersion: 'claude-haiku-4-5-20251001',
    });
  });

  it.each([
    ['invented-max-tokens', { finish: 'length', text: "Here's the answer to your question..." }],
    ['invented-refusal', { finish: 'filtered', text: '' }],
    ['invented-no-usage', { usage: undefined }],
  ])('%s is %o', async (name, expected) => {
    expect(await call(fixture(name)).result).toMatchObject(expected);
  });

  it.each<[string, unknown]>([
    ['text', '<html>'],
    ['null', null],
    ['a list', []],
    ['an error under 200', { type: 'error', error: { type: 'api_error' } }],
    ['a message without content', { type: 'message' }],
    ['a chat completion', { choices: [{ message: { content: 'Hi' } }] }],
  ])('that is %s is malformed', async (_what, body) => {
    await expect(call({ status: 200, body }).result).rejects.toMatchObject({
      kind: 'malformed_answer',
      status: 200,
    });
  });
});

describe('a failure', () => {
  it.each([
    ['error-404-not-found', 'configuration', undefined],
    ['invented-error-400-invalid-request', 'rejected_input', undefined],
    ['invented-error-401-authentication', 'configuration', undefined],
    ['invented-error-402-billing', 'quota_exhausted', undefined],
    ['invented-error-403-permission', 'configuration', undefined],
    ['invented-error-413-too-large', 'rejected_input', undefined],
    ['invented-error-429-rate-limit', 'rate_limited', 7_000],
    ['invented-error-429-spend-limit', 'quota_exhausted', undefined],
    ['invented-error-500-api', 'unavailable', undefined],
    ['invented-error-529-overloaded', 'unavailable', 3_000],
  ])('%s is %s', async (name, kind, retryAfterMs) => {
    const { status } = fixture(name);
    await expect(call(fixture(name)).result).rejects.toMatchObject({ kind, status, retryAfterMs });
  });

  it.each([
    ['cut', 'malformed_answer'],
    ['unreachable', 'unavailable'],
    ['aborted', 'timeout'],
  ] as const)('of the connection, %s, is %s', async (how, kind) => {
    await expect(call(new HttpFailure(how, 'a word of ours')).result).rejects.toMatchObject({ kind });
  });

  it.each([
    ['temperature: range: 0..1', 'configuration'],
    ['max_tokens: 5000 > 4096, which is the maximum allowed number of output tokens', 'configuration'],
    ['`temperature` and `top_p` cannot both be specified for this model.', 'configuration'],
    ['prompt is too long: 250000 tokens > 200000 maximum', 'context_too_long'],
    ['input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000', 'context_too_long'],
    ['messages.0.content: "temperature: 7" is not allowed', 'rejected_input'],
    ['modelling clay', 'rejected_input'],
  ])('with the message %j is %s', async (message, kind) => {
    const error = { type: 'invalid_request_error', message };
    const failure = await call({ status: 400, body: { type: 'error', error } }).result.catch(
      (thrown) => thrown,
    );
    expect(failure).toMatchObject({ kind, explanation: { code: 'invalid_request_error', message } });
  });

  it('keeps the words of the provider and the key to itself', async () => {
    const failure = await call(fixture('invented-error-401-authentication')).result.catch(
      (thrown: Error) => thrown,
    );
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(/words of the provider|sk-ant/);
  });
});
