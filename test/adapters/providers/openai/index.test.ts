// The OpenAI-compatible provider against recorded answers.

import { describe, expect, it } from 'vitest';
import { HttpFailure, type HttpFailureKind } from '../../../../adapters/http/failure.ts';
import { createOpenaiProvider } from '../../../../adapters/providers/openai/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';
import type { SecretReader } from '../../../../core/ports/stores.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createFakeHttp, type FakeAnswer, readOpenaiFixture } from '../fake-http.ts';

const signal = new AbortController().signal;
const HELLO: ModelRequest = {
  model: 'm-1',
  system: [],
  messages: [userMessage('Hello')],
  maxTokens: 5,
  signal,
};
const clock = createMemoryClock(Date.UTC(2026, 10, 21, 12, 0, 0));
const secrets = createMemorySecretReader(new Map([['org-1/providers/openai-key', 'sk-one']]));

interface Input {
  readonly baseUrl?: string;
  readonly withKey?: boolean;
  readonly request?: Partial<ModelRequest>;
  readonly secrets?: SecretReader;
}

function call(answers: readonly (FakeAnswer | Error)[], options: Input = {}) {
  const { http, openHttp, requests } = createFakeHttp(...answers);
  const provider = createOpenaiProvider(
    {
      type: 'openai',
      baseUrl: options.baseUrl ?? 'https://api.openai.com/v1',
      ...(options.withKey === true ? { apiKey: { secret: 'openai-key' } } : {}),
    },
    { organizationId: 'org-1', secrets: options.secrets ?? secrets, http, openHttp, clock },
  );
  return { requests, result: provider.generate({ ...HELLO, ...options.request }) };
}

const ok = readOpenaiFixture('chat-completion');
const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');

describe('the request', () => {
  it('is a chat completion with the key, the prompt and the limit', async () => {
    const { requests, result } = call([ok], { withKey: true });
    await result;
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: { authorization: 'Bearer sk-one', 'content-type': 'application/json' },
      signal,
    });
    expect(bodyOf(requests[0]?.body)).toEqual({
      model: 'm-1',
      messages: [{ role: 'user', content: 'Hello' }],
      max_completion_tokens: 5,
    });
  });

  it('carries the system text and every setting under the names of the endpoint', async () => {
    const settings = {
      system: [{ text: 'Be brief.' }],
      temperature: 0,
      topP: 0.9,
      stopSequences: ['END'],
      seed: 0,
    };
    const { requests, result } = call([ok], { request: settings });
    await result;
    expect(bodyOf(requests[0]?.body)).toEqual({
      model: 'm-1',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_completion_tokens: 5,
      temperature: 0,
      top_p: 0.9,
      stop: ['END'],
      seed: 0,
    });
  });

  it.each([
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://eu.api.openai.com/v1', 'max_completion_tokens'],
    ['https://acme.openai.azure.com/openai/v1', 'max_completion_tokens'],
    ['http://127.0.0.1:11434/v1', 'max_tokens'],
    ['https://api.openai.com.example.org/v1', 'max_tokens'],
    ['https://notapi.openai.com.example/v1', 'max_tokens'],
  ])('limits the output of %s by %s', async (baseUrl, member) => {
    const { requests, result } = call([ok], { baseUrl });
    await result;
    const body = bodyOf(requests[0]?.body) as Record<string, unknown>;
    expect(body[member]).toBe(5);
    expect(Object.keys(body)).toHaveLength(3);
  });

  it.each([
    ['https://llm.example.com', 'https://llm.example.com/chat/completions'],
    ['https://llm.example.com/v1/', 'https://llm.example.com/v1/chat/completions'],
    ['https://llm.example.com/v1?api-version=2', 'https://llm.example.com/v1/chat/completions?api-version=2'],
  ])('to %s goes to %s', async (baseUrl, url) => {
    const { requests, result } = call([ok], { baseUrl });
    await result;
    expect(requests[0]?.url).toBe(url);
  });

  it('has no authorization where the provider has no key', async () => {
    const { requests, result } = call([ok]);
    await result;
    expect(Object.keys(requests[0]?.headers ?? {})).not.toContain('authorization');
  });
});

describe('the answer', () => {
  it('gives text, finish, usage with its details and the exact model', async () => {
    expect(await call([ok]).result).toEqual({
      text: 'The image shows a wooden boardwalk path running through a lush green field or meadow. The sky is bright blue with some scattered clouds, giving the scene a serene and peaceful atmosphere. Trees and shrubs are visible in the background.',
      finish: 'stop',
      usage: { input: 1117, output: 46, cachedInput: 0, reasoning: 0 },
      modelVersion: 'gpt-4o-2024-08-06',
    });
  });

  it('gives usage without details where there are none', async () => {
    const { result } = call([readOpenaiFixture('chat-completion-short-usage')]);
    expect((await result).usage).toEqual({ input: 13, output: 18 });
    const ollama = call([readOpenaiFixture('invented-ollama-chat-completion')]);
    expect(await ollama.result).toMatchObject({ text: 'Hello!', usage: { input: 11, output: 3 } });
  });

  const answered = (choice: object, rest: object = {}) => ({
    status: 200,
    body: { choices: [choice], ...rest },
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'filtered'],
    [null, 'other'],
    ['eos', 'other'],
    ['toString', 'other'],
  ])('that ended by %s has ended by %s', async (reason, finish) => {
    const { result } = call([answered({ message: { content: 'x' }, finish_reason: reason })]);
    expect((await result).finish).toBe(finish);
  });

  it('gives the words of a model that refused, and no text where there is none', async () => {
    const rejected = call([answered({ message: { content: null, refusal: 'I cannot.' } })]);
    expect((await rejected.result).text).toBe('I cannot.');
    const spent = call([answered({ message: { content: null }, finish_reason: 'length' })]);
    expect(await spent.result).toMatchObject({ text: '', finish: 'length' });
    expect((await call([readOpenaiFixture('chat-completion-tool-calls')]).result).text).toBe('');
  });

  it.each([
    [undefined],
    [null],
    [{ prompt_tokens: 3 }],
    [{ prompt_tokens: '3', completion_tokens: 1 }],
    [{ prompt_tokens: -1, completion_tokens: 1 }],
    [{ prompt_tokens: 1.5, completion_tokens: 1 }],
    [{ prompt_tokens: 1e300, completion_tokens: 1 }],
  ])('has no usage where it reports %j', async (usage) => {
    const { result } = call([answered({ message: { content: 'x' } }, { usage })]);
    expect((await result).usage).toBeUndefined();
  });

  it.each([['a\nb'], ['x'.repeat(201)], [''], [7]])(
    'has no model version where it reports %j',
    async (model) => {
      const { result } = call([answered({ message: { content: 'x' } }, { model })]);
      expect((await result).modelVersion).toBeUndefined();
    },
  );

  it.each([
    ['{"choices":[{"message":{"content":"half'],
    ['<html>login</html>'],
    [''],
    ['null'],
    ['[]'],
    ['{}'],
    ['{"choices":[]}'],
    ['{"choices":[{}]}'],
    ['{"choices":[{"message":null}]}'],
    ['{"choices":[{"message":"text"}]}'],
    ['{"choices":[{"message":{"content":7}}]}'],
    ['{"choices":{"0":{"message":{"content":"x"}}}}'],
  ])('is malformed as %s', async (body) => {
    await expect(call([{ status: 200, body }]).result).rejects.toMatchObject({
      name: 'ProviderFailure',
      kind: 'malformed_answer',
      status: 200,
    });
  });
});

describe('an error', () => {
  it.each([
    ['error-401-invalid-api-key', 'configuration'],
    ['error-404-model-not-found', 'configuration'],
    ['invented-ollama-error-404', 'configuration'],
    ['error-400-unsupported-parameter', 'configuration'],
    ['error-400-context-length', 'context_too_long'],
    ['error-429-rate-limit', 'rate_limited'],
    ['error-429-insufficient-quota', 'quota_exhausted'],
    ['error-429-project-spend-limit', 'quota_exhausted'],
  ])('%s is %s', async (name, kind) => {
    const answer = readOpenaiFixture(name);
    const failure = await call([answer]).result.catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: 'ProviderFailure', kind, status: answer.status });
    // No text of the provider: it may quote the key, the organization or the prompt.
    expect((failure as Error).message).toBe(`the provider failed: ${kind}`);
    expect((failure as Error).cause).toBeUndefined();
  });

  it('of the content filter stops the run like a filtered answer', async () => {
    expect(await call([readOpenaiFixture('error-400-azure-content-filter')]).result).toEqual({
      text: '',
      finish: 'filtered',
      usage: undefined,
      modelVersion: undefined,
    });
  });

  it.each([
    [{ 'retry-after-ms': '579', 'retry-after': '1' }, 579],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 11:59:30 GMT' }, 0],
    [{ 'retry-after': '86400' }, 3_600_000],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Sat, 21 Nov 2026 12:00:30 +0100' }, undefined],
    [{}, undefined],
  ])('with %j says to come back in %s ms', async (headers, retryAfterMs) => {
    const answer = { ...readOpenaiFixture('error-429-rate-limit'), headers };
    const failure = await call([answer]).result.catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ retryAfterMs });
  });

  it('says nothing on when to come back where waiting does not help', async () => {
    const answer = { ...readOpenaiFixture('error-429-insufficient-quota'), headers: { 'retry-after': '7' } };
    await expect(call([answer]).result).rejects.toMatchObject({ retryAfterMs: undefined });
  });

  it.each<[HttpFailureKind, string]>([
    ['unreachable', 'unavailable'],
    ['aborted', 'timeout'],
    ['cut', 'malformed_answer'],
    ['too_large', 'malformed_answer'],
    ['malformed', 'malformed_answer'],
  ])('of the network that is %s is %s', async (network, kind) => {
    await expect(call([new HttpFailure(network, 'x')]).result).rejects.toMatchObject({
      name: 'ProviderFailure',
      kind,
      status: undefined,
    });
  });

  it('of an address that may not be connected to is configuration, with the reason for the operator', async () => {
    const rejected = new HttpFailure('refused', 'the URL must begin with https://');
    await expect(call([rejected]).result).rejects.toMatchObject({
      code: 'configuration',
      reason: 'the URL must begin with https://',
    });
  });
});
