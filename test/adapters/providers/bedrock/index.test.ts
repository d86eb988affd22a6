// The Bedrock provider against recorded answers, and against answers of their shape that are named invented.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpFailure } from '../../../../adapters/http/failure.ts';
import { createBedrockEmbeddings } from '../../../../adapters/providers/bedrock/embed.ts';
import { createBedrockProvider } from '../../../../adapters/providers/bedrock/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createFakeHttp, type FakeAnswer } from '../fake-http.ts';
import { readBedrockFixture as fixture } from './fake-bedrock.ts';

const signal = new AbortController().signal;
const clock = createMemoryClock(Date.UTC(2026, 10, 21, 12, 0, 0));
const settings = { type: 'bedrock', region: 'us-east-1', timeout: undefined } as const;
const HELLO: ModelRequest = {
  model: 'us.anthropic.claude-haiku-4-5-v1:0',
  system: [],
  messages: [userMessage('Hello')],
  maxTokens: 5,
  signal,
};

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret-key');
  vi.stubEnv('AWS_SESSION_TOKEN', 'a-token');
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', '');
});
afterEach(() => vi.unstubAllEnvs());

function call(answer: FakeAnswer | Error, request: Partial<ModelRequest> = {}) {
  const { http, openHttp, requests } = createFakeHttp(answer);
  return {
    requests,
    result: createBedrockProvider(settings, { http, openHttp, clock }).generate({ ...HELLO, ...request }),
  };
}

function embed(answer: FakeAnswer | Error, dimensions = 4) {
  const { http, requests } = createFakeHttp(answer);
  const model = 'amazon.titan-embed-text-v2:0';
  const embeddings = createBedrockEmbeddings(settings, { http, clock });
  return { requests, result: embeddings.embed({ model, inputs: ['Hello'], dimensions, signal }) };
}

const HI = { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } } };
const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');

describe('the request', () => {
  it('goes to the region of the provider, signed at the time of the call', async () => {
    const { requests, result } = call(fixture('converse'));
    await result;
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-haiku-4-5-v1%3A0/converse',
      headers: {
        'content-type': 'application/json',
        'x-amz-date': '20261121T120000Z',
        'x-amz-security-token': 'a-token',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20261121\/us-east-1\/bedrock\/aws4_request, /,
        ),
      },
      signal,
    });
    expect(requests[0]?.headers).not.toHaveProperty('host');
    expect(bodyOf(requests[0]?.body)).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
      inferenceConfig: { maxTokens: 5 },
    });
  });

  it('carries the system text and every setting that the API has, a temperature of at most 1', async () => {
    const { requests, result } = call(fixture('converse'), {
      ...{ system: [{ text: 'Be brief.' }], temperature: 1.7, topP: 0.9, stopSequences: ['END'], seed: 4 },
    });
    await result;
    expect(bodyOf(requests[0]?.body)).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
      inferenceConfig: { maxTokens: 5, temperature: 1, topP: 0.9, stopSequences: ['END'] },
    });
  });

  it('goes to the endpoint that the standard variable of the AWS SDKs names', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'http://127.0.0.1:8080/');
    const { requests, result } = call(fixture('converse'), { model: 'vendor.model' });
    await result;
    expect(requests[0]?.url).toBe('http://127.0.0.1:8080/model/vendor.model/converse');
  });

  it('keeps a model that holds slashes within its part of the path', async () => {
    const { requests, result } = call(fixture('converse'), { model: 'a/../../b' });
    await result;
    expect(new URL(requests[0]?.url ?? '').pathname).toBe('/model/a%2F..%2F..%2Fb/converse');
  });

  it('refuses to go out unsigned', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    const { requests, result } = call(fixture('converse'));
    await expect(result).rejects.toThrow('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
    expect(requests).toEqual([]);
  });
});

describe('the answer', () => {
  it('is the text of the message, with what it used', async () => {
    expect(await call(fixture('converse')).result).toEqual({
      text: 'This is a test.',
      finish: 'stop',
      usage: { input: 12, output: 8 },
      modelVersion: undefined,
    });
  });

  it.each([
    ['converse-empty', { text: '', finish: 'stop', usage: { input: 8, output: 5 } }],
    ['converse-max-tokens', { text: 'I am happy to assist you today', finish: 'length' }],
    // 4 beside the 2,701 that came from the cache.
    ['converse-cached', { finish: 'length', usage: { input: 2705, output: 10, cachedInput: 2701 } }],
    ['invented-reasoning', { text: 'One two.', finish: 'stop', usage: { input: 3, output: 9 } }],
    ['invented-guardrail', { text: 'words of the guardrail', finish: 'filtered' }],
    ['invented-content-filtered', { text: '', finish: 'filtered', usage: { input: 12, output: 0 } }],
  ])('%s is %o', async (name, expected) => {
    expect(await call(fixture(name)).result).toMatchObject(expected);
  });

  it('may be without a message where a guardrail stopped it', async () => {
    const body = { output: {}, stopReason: 'guardrail_intervened' };
    expect(await call({ status: 200, body }).result).toMatchObject({
      ...{ text: '', finish: 'filtered', usage: undefined },
    });
  });

  it.each<[string, unknown]>([
    ['text', '<html>'],
    ['null', null],
    ['a list', []],
    ['an answer without a message', { output: {}, stopReason: 'end_turn' }],
    ['an answer without an end', { output: { message: { content: [{ text: 'Hi' }] } } }],
    ['an answer that the service could not read', { ...HI, stopReason: 'malformed_model_output' }],
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
    ['error-400-invalid-model', 'configuration'],
    ['error-400-on-demand', 'configuration'],
    ['error-429-throttling', 'rate_limited'],
    ['error-429-daily-quota', 'quota_exhausted'],
    ['invented-error-400-validation', 'rejected_input'],
    ['invented-error-400-service-quota-exceeded', 'quota_exhausted'],
    ['invented-error-403-access-denied', 'configuration'],
    ['invented-error-403-expired-token', 'configuration'],
    ['invented-error-404-resource-not-found', 'configuration'],
    ['invented-error-408-model-timeout', 'unavailable'],
    ['invented-error-424-model-error', 'unavailable'],
    ['invented-error-429-model-not-ready', 'unavailable'],
    ['invented-error-500-internal-server', 'unavailable'],
    ['invented-error-503-service-unavailable', 'unavailable'],
  ])('%s is %s', async (name, kind) => {
    const { status } = fixture(name);
    await expect(call(fixture(name)).result).rejects.toMatchObject({ kind, status });
    await expect(embed(fixture(name)).result).rejects.toMatchObject({ kind, status });
  });

  it.each([
    [
      "1 validation error detected: Value '5.0' at 'inferenceConfig.temperature' failed to satisfy constraint",
      'configuration',
    ],
    ['Malformed input request: #/temperature: 2 is not less or equal to 1', 'configuration'],
    ['The maximum tokens you requested exceeds the model limit of 4096.', 'configuration'],
    ['`temperature` and `top_p` cannot both be specified for this model.', 'configuration'],
    ["1 validation error detected: Value 'x' at 'messages.1.member.content' failed", 'rejected_input'],
    ["1 validation error detected: Value ''' at 'inferenceConfig' at 'messages'", 'rejected_input'],
    ['Malformed input request: #/messages/0: too long', 'rejected_input'],
    ['Input is too long for requested model.', 'context_too_long'],
  ])('with the message %j is %s', async (message, kind) => {
    const answer = { status: 400, headers: { 'x-amzn-errortype': 'ValidationException' }, body: { message } };
    const failure = await call(answer).result.catch((thrown) => thrown);
    expect(failure).toMatchObject({ kind, explanation: { code: 'ValidationException', message } });
  });

  it('says when to come back where the service does', async () => {
    const limited = fixture('error-429-throttling');
    const answer = { ...limited, headers: { ...limited.headers, 'retry-after': '7' } };
    await expect(call(answer).result).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each([
    ['cut', 'malformed_answer'],
    ['unreachable', 'unavailable'],
    ['aborted', 'timeout'],
  ] as const)('of the connection, %s, is %s', async (how, kind) => {
    await expect(call(new HttpFailure(how, 'a word of ours')).result).rejects.toMatchObject({ kind });
  });

  it.each([
    // repost.aws/knowledge-center/bedrock-resolve-marketplace-permission
    [
      403,
      'Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions (aws-marketplace:ViewSubscriptions, aws-marketplace:Subscribe) to enable access to this model.',
      /subscribe the account/,
    ],
    [
      403,
      'Model access is denied due to arn:aws:sts::1:assumed-role/a/b is not authorized to perform: aws-marketplace:Subscribe on resource: * because no identity-based policy allows the action.',
      /subscribe the account/,
    ],
    [
      403,
      'Model access is denied due to INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided. Your AWS Marketplace subscription cannot be completed.',
      /payment method/,
    ],
    [
      404,
      'Model use case details have not been submitted for this account. Fill out the Anthropic use case details form before using the model.',
      /use case form/,
    ],
    [400, 'You have not filled out the required use-case form for this model.', /use case form/],
    [
      403,
      'User: arn:aws:sts::1:assumed-role/a/b is not authorized to perform: bedrock:InvokeModel on resource: arn because no identity-based policy allows it',
      /stage setting `bedrock`/,
    ],
    [
      403,
      'User: arn is not authorized to perform: bedrock:InvokeModel on resource: arn with an explicit deny in a service control policy',
      /policy of the organization/,
    ],
    [403, 'You do not have access to the model with the specified model ID.', undefined],
    [400, 'The provided model identifier is invalid.', undefined],
  ])('%s %s is configuration, and names what to do', async (status, message, remedy) => {
    const failure = await call({ status, body: { message } }).result.catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      kind: 'configuration',
      remedy: remedy === undefined ? undefined : expect.stringMatching(remedy),
    });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('arn');
  });

  it.each([
    [500, 'aws-marketplace is down', 'unavailable'],
    [429, 'Too many requests to AWS Marketplace', 'rate_limited'],
  ])('%s is no lack of the account, whatever its text: %s', async (status, message, kind) => {
    await expect(call({ status, body: { message } }).result).rejects.toMatchObject({
      kind,
      remedy: undefined,
    });
  });

  it('keeps the words of the provider and the credentials to itself', async () => {
    const failure = await call(fixture('invented-error-403-access-denied')).result.catch(
      (thrown: Error) => thrown,
    );
    expect(JSON.stringify(failure) + String(failure)).not.toMatch(
      /words of the provider|a-secret-key|a-token/,
    );
  });
});

describe('an embedding', () => {
  it('is asked for in as many dimensions as are wanted, of length one', async () => {
    const { requests, result } = embed(fixture('invented-embedding'));
    expect(await result).toEqual({ vectors: [[0.5, -0.5, 0.5, 0.5]], tokensInput: 5 });
    expect(requests[0]?.url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke',
    );
    expect(bodyOf(requests[0]?.body)).toEqual({ inputText: 'Hello', dimensions: 4, normalize: true });
  });

  it.each<[string, unknown]>([
    ['of another length', { embedding: [0.5, 0.5], inputTextTokenCount: 1 }],
    ['of nothing but zeros', { embedding: [0, 0, 0, 0] }],
    ['of what is no number', { embedding: [0.5, '0.5', 0.5, 0.5] }],
    ['that is not there', { inputTextTokenCount: 1 }],
  ])('refuses one %s', async (_what, body) => {
    await expect(embed({ status: 200, body }).result).rejects.toMatchObject({ kind: 'malformed_answer' });
  });

  it('counts no tokens where the service names none', async () => {
    const body = { embedding: [1, 0, 0, 0] };
    expect(await embed({ status: 200, body }).result).toEqual({
      vectors: [[1, 0, 0, 0]],
      tokensInput: undefined,
    });
  });
});
