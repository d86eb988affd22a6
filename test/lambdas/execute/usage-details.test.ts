// The tokens of a call that its provider cached, or spent on reasoning: on every surface, whole and streamed, in the entry, and not from the cache.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { sse } from '../../adapters/providers/streams/protocols.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

/** A vendor's answer of 1,000 tokens in and 50 out: of them 600 read from the cache, 300 written to it, 20 of reasoning. */
const VENDORS = {
  openai: {
    settings: { type: 'openai', baseUrl: 'https://api.example.com/v1' },
    whole: (usage: object) => ({
      choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
      usage,
    }),
    streamed: (usage: object) =>
      sse({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }) +
      sse({ choices: [], usage }) +
      sse('[DONE]'),
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    hour: 0,
  },
  anthropic: {
    settings: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
    whole: (usage: object) => ({
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage,
    }),
    streamed: (usage: object) =>
      sse({ type: 'message_start', message: { usage: { ...usage, output_tokens: 1 } } }) +
      sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } }) +
      sse({ type: 'content_block_stop', index: 0 }) +
      sse({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }) +
      sse({ type: 'message_stop' }),
    usage: {
      input_tokens: 100,
      output_tokens: 50,
      cache_read_input_tokens: 600,
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
      output_tokens_details: { thinking_tokens: 20 },
    },
    hour: 200,
  },
} as const;

type Vendor = keyof typeof VENDORS;

/** A neuron that caches, whose model reports the usage of its vendor. */
function openNeuron(vendor: Vendor) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const { settings, whole, streamed, usage } = VENDORS[vendor];
  const call = { provider: 'model', model: 'm', maxTokens: 30, retries: 0, accepts: ['parameters'] };
  const neuron = { settings: { caching: { exact: true } }, flow: [{ callModel: call }] };
  const ports = portsOf(
    { providers: { model: settings }, neurons: { hello: neuron } },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: (request) => {
        const isStream = JSON.parse(request.body ?? '{}').stream === true;
        const type = isStream ? 'text/event-stream' : 'application/json';
        const text = isStream ? streamed(usage) : JSON.stringify(whole(usage));
        return createStreamHttp({ headers: { 'content-type': type }, pieces: [text] }).openHttp(request);
      },
    },
  );
  return {
    entries,
    async ask(route: string, json: object) {
      const event = eventOf('hello', { model: 'hello', ...json }, { stream: false }, 'call-1', clock);
      const resource = `/v1/{organization}/{neuron}/${route}`;
      return finish(
        await serve({ ...event, resource } as APIGatewayProxyEvent, new AbortController().signal, ports),
      );
    },
  };
}

const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  route: 'chat/completions',
  json: { messages, max_completion_tokens: 30 },
  ask: { stream_options: { include_usage: true } },
};
const responses = { route: 'responses', json: { input: 'Hello', max_output_tokens: 30 }, ask: {} };
const anthropic = { route: 'messages', json: { messages, max_tokens: 30 }, ask: {} };

/** The objects of an answer, whole or streamed. */
const objectsIn = (body: string) =>
  body.startsWith('{')
    ? [JSON.parse(body)]
    : [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json));

/** The usage that a client reads last. */
const usageIn = (body: string) =>
  objectsIn(body)
    .flatMap(({ usage, response }) => usage ?? response?.usage ?? [])
    .at(-1);

for (const vendor of ['openai', 'anthropic'] as const) {
  for (const stream of [false, true]) {
    const how = `${vendor} to ${stream ? 'a stream' : 'an answer in one piece'}`;

    it(`pass from ${how} of chat completions`, async () => {
      const { status, body } = await openNeuron(vendor).ask(chat.route, {
        ...chat.json,
        ...(stream ? { stream, ...chat.ask } : {}),
      });
      expect(status).toBe(200);
      expect(usageIn(body)).toEqual({
        prompt_tokens: 1000,
        completion_tokens: 50,
        total_tokens: 1050,
        prompt_tokens_details: { cached_tokens: 600 },
        completion_tokens_details: { reasoning_tokens: 20 },
      });
    });

    it(`pass from ${how} of Responses`, async () => {
      const { body } = await openNeuron(vendor).ask(responses.route, { ...responses.json, stream });
      expect(usageIn(body)).toEqual({
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 600 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 20 },
        total_tokens: 1050,
      });
    });

    it(`pass from ${how} of Messages`, async () => {
      const { body } = await openNeuron(vendor).ask(anthropic.route, { ...anthropic.json, stream });
      const { hour } = VENDORS[vendor];
      expect(usageIn(body)).toMatchObject({
        // A stream of OpenAI's kind reports last: the input was told before, as a count of 10, of which nothing is left.
        input_tokens: stream && vendor === 'openai' ? 0 : 100,
        output_tokens: 50,
        cache_read_input_tokens: 600,
        cache_creation_input_tokens: 300,
        cache_creation: { ephemeral_5m_input_tokens: 300 - hour, ephemeral_1h_input_tokens: hour },
        output_tokens_details: { thinking_tokens: 20 },
      });
    });
  }

  it(`are in the entry of a call of ${vendor}, and an answer from the cache has none`, async () => {
    const { ask, entries } = openNeuron(vendor);
    const { hour } = VENDORS[vendor];
    await ask(chat.route, chat.json);
    expect(entries[0]?.modelCalls).toMatchObject([
      {
        ...{ tokensInput: 1000, tokensOutput: 50, tokensCacheRead: 600, tokensCacheWrite: 300 - hour },
        ...{ tokensReasoning: 20, ...(hour === 0 ? {} : { tokensCacheWrite1h: hour }) },
      },
    ]);
    for (const { route, json } of [chat, responses, anthropic]) {
      for (const stream of [false, true]) {
        const isChat = route === chat.route && stream;
        const { body } = await ask(route, { ...json, stream, ...(isChat ? chat.ask : {}) });
        const numbers = JSON.stringify(usageIn(body)).match(/\d+(?=[,}])/g) ?? [];
        expect(numbers.length).toBeGreaterThan(4);
        expect(numbers.filter((number) => number !== '0')).toEqual([]);
      }
    }
    expect(entries.slice(1).map(({ cache }) => cache)).toEqual(Array.from({ length: 6 }, () => 'exact'));
  });
}
