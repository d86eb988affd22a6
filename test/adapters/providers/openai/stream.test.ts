// Streams of OpenAI-compatible endpoints: what is a whole answer, and what is none.
import { describe, expect, it } from 'vitest';
import { HttpFailure } from '../../../../adapters/http/failure.ts';
import { createOpenaiProvider } from '../../../../adapters/providers/openai/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createStreamHttp, type StreamedAnswer, take } from '../stream-http.ts';

const signal = new AbortController().signal;
const HELLO: ModelRequest = {
  model: 'm-1',
  system: [],
  messages: [userMessage('Hello')],
  maxTokens: 5,
  signal,
};

function ask(answers: readonly StreamedAnswer[], apiKey?: { secret: string }) {
  const http = createStreamHttp(...answers);
  const provider = createOpenaiProvider(
    { type: 'openai', baseUrl: 'https://api.openai.com/v1', ...(apiKey === undefined ? {} : { apiKey }) },
    {
      organizationId: 'org-1',
      secrets: createMemorySecretReader(new Map([['org-1/providers/openai-key', 'sk-one']])),
      http: () => Promise.reject(new Error('nothing is read whole')),
      openHttp: http.openHttp,
      clock: createMemoryClock(0),
    },
  );
  return { ...http, stream: () => provider.stream!(HELLO) };
}

const sse = (...chunks: readonly unknown[]) =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');
const delta = (content: string) => ({
  model: 'gpt-1',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});
const finish = (finish_reason: string) => ({
  model: 'gpt-1',
  choices: [{ index: 0, delta: {}, finish_reason }],
});
const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 } };
const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

const read = (body: string, more: Partial<StreamedAnswer> = {}) =>
  take(ask([{ headers: EVENT_STREAM, pieces: [body], ...more }]).stream());

describe('a whole stream', () => {
  it('gives its text as it comes, then its end with finish, usage and the exact model', async () => {
    const { events, thrown } = await read(
      sse(delta(''), delta('Hel'), delta('lo'), finish('stop'), USAGE, '[DONE]'),
    );
    expect(thrown).toBeUndefined();
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'end', finish: 'stop', usage: { input: 3, output: 5 }, modelVersion: 'gpt-1' },
    ]);
  });

  it('may leave out [DONE] where it has a finish reason, and its usage', async () => {
    const { events } = await read(sse(delta('Hi'), finish('length')));
    expect(events.at(-1)).toEqual({ type: 'end', finish: 'length', usage: undefined, modelVersion: 'gpt-1' });
  });
});

describe('no whole answer', () => {
  it.each([
    ['[DONE] without a finish reason', sse(delta('Hi'), '[DONE]')],
    ['the end of the body without a finish reason', sse(delta('Hi'))],
    ['text after the finish reason', sse(delta('Hi'), finish('stop'), delta(' there'), '[DONE]')],
    ['a finish reason that says error', sse(delta('Hi'), finish('error'), '[DONE]')],
    [
      'an error of vLLM',
      sse(delta('Hi'), { object: 'error', message: 'out of memory', code: 500 }, '[DONE]'),
    ],
    ['an error that is a text', sse(delta('Hi'), { error: 'out of memory' }, finish('stop'), '[DONE]')],
    ['an event of the name error', `${sse(delta('Hi'))}event: error\ndata: {"message":"no"}\n\n`],
    ['an event that is no object', sse(delta('Hi'), '7', finish('stop'), '[DONE]')],
    ['a delta that is no text', sse({ choices: [{ delta: { content: 7 } }] }, finish('stop'), '[DONE]')],
    ['an error', sse(delta('Hi'), { error: { message: 'Overloaded', code: 'overloaded' } }, '[DONE]')],
    ['what is not JSON', sse(delta('Hi'), '{"choices":', finish('stop'), '[DONE]')],
  ])('is %s', async (_what, body) => {
    const { thrown, events } = await read(body);
    expect(thrown).toMatchObject({ name: 'ProviderFailure', kind: 'truncated', status: 200 });
    expect(events.filter(({ type }) => type === 'end')).toEqual([]);
  });
});

describe('the request', () => {
  it('asks for a stream with usage, with the key', async () => {
    const { stream, requests } = ask(
      [{ headers: EVENT_STREAM, pieces: [sse(delta('Hi'), finish('stop'), '[DONE]')] }],
      { secret: 'openai-key' },
    );
    await take(stream());
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: 'https://api.openai.com/v1/chat/completions',
        headers: { authorization: 'Bearer sk-one' },
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      model: 'm-1',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('is made again without the option for usage where the endpoint does not know it', async () => {
    const rejection = {
      error: {
        message: 'Unrecognized request argument supplied: stream_options',
        type: 'invalid_request_error',
      },
    };
    const { stream, requests } = ask([
      { status: 400, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(rejection)] },
      { headers: EVENT_STREAM, pieces: [sse(delta('Hi'), finish('stop'))] },
    ]);
    expect((await take(stream())).text).toBe('Hi');
    expect(requests.map(({ body }) => 'stream_options' in JSON.parse(body ?? ''))).toEqual([true, false]);
  });

  it('is made again with the key as it is now where the endpoint refuses it', async () => {
    const { stream, requests } = ask([{ status: 401, pieces: ['{}'] }], { secret: 'openai-key' });
    expect((await take(stream())).thrown).toMatchObject({
      kind: 'configuration',
      status: 401,
      secret: 'openai-key',
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [429, 'rate_limited', { 'retry-after': '7' }],
    [503, 'unavailable', {}],
    [404, 'configuration', {}],
  ])('that is answered %i fails before the stream: %s', async (status, kind, headers) => {
    const body = '{"error":{"message":"No.","code":"some_code"}}';
    const { events, thrown } = await read(body, { status, headers });
    expect(events).toEqual([]);
    expect(thrown).toMatchObject({ kind, status, explanation: { code: 'some_code', message: 'No.' } });
  });

  it('that a content filter refused ends like a filtered answer', async () => {
    const { events } = await read('{"error":{"code":"content_filter"}}', { status: 400, headers: {} });
    expect(events).toEqual([{ type: 'end', finish: 'filtered', usage: undefined, modelVersion: undefined }]);
  });

  it('that is answered with a whole completion gives its events', async () => {
    const choices = [
      { message: { content: 'Hi', tool_calls: [{ id: 'a', function: { name: 'one', arguments: '{}' } }] } },
    ];
    const body = JSON.stringify({ model: 'gpt-1', choices, usage: USAGE.usage });
    const { events } = await read(body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(events).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'toolCall', call: { id: 'a', name: 'one', arguments: {} } },
      { type: 'end', finish: 'toolCalls', usage: { input: 3, output: 5 }, modelVersion: 'gpt-1' },
    ]);
  });

  it.each([
    ['unreachable', 'unavailable'],
    ['aborted', 'timeout'],
    ['cut', 'malformed_answer'],
  ] as const)('that is %s before an answer fails as every other: %s', async (network, kind) => {
    const openHttp = () => Promise.reject(new HttpFailure(network, 'x'));
    const ports = {
      organizationId: 'o',
      secrets: createMemorySecretReader(new Map()),
      http: openHttp,
      openHttp,
      clock: createMemoryClock(0),
    };
    const provider = createOpenaiProvider({ type: 'openai', baseUrl: 'https://api.example.com' }, ports);
    expect((await take(provider.stream!(HELLO))).thrown).toMatchObject({ kind, status: undefined });
  });
});
