// Streams of OpenAI-compatible endpoints: what is a whole answer, and what is none.
import { describe, expect, it } from 'vitest';
import { createOpenaiProvider } from '../../../../adapters/providers/openai/index.ts';
import { userMessage } from '../../../../core/contract/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createStreamHttp, type StreamedAnswer, take } from '../stream-http.ts';

const signal = new AbortController().signal;
const HELLO: ModelRequest = {
  model: 'm-1',
  system: undefined,
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
});
