// What a provider's API has no place for, as its caller and operator see it, with the provider's code loaded by the call itself.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

const PROVIDERS = {
  claude: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
  gpt: { type: 'openai', baseUrl: 'https://api.example.com/v1' },
};

const messageOf = (text: string) => ({
  type: 'message',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
});
const completionOf = (content: string) => ({ choices: [{ message: { content }, finish_reason: 'stop' }] });

async function ask(provider: keyof typeof PROVIDERS, json: object, text = 'Hi') {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const callModel = { provider, model: 'm', retries: 0, accepts: 'all' };
  const stored = { providers: PROVIDERS, neurons: { hello: { flow: [{ callModel }] } } };
  const ports = portsOf(stored, createMemoryCounters(), {
    clock,
    responses: createMemoryResponseCache(),
    logs: { put: async (entry) => entries.push(entry) > 0 },
    openHttp: (request) => {
      const body = JSON.stringify(provider === 'claude' ? messageOf(text) : completionOf(text));
      return createStreamHttp({ headers: { 'content-type': 'application/json' }, pieces: [body] }).openHttp(
        request,
      );
    },
  });
  const body = { model: 'hello', messages: [{ role: 'user', content: 'Hello' }], ...json };
  const event = eventOf('hello', body, { surface: 'openai', stream: false }, 'call-1', clock);
  const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
  const { headers } = served.answer();
  return { ...(await finish(served)), leftOut: headers['X-Neuron-Left-Out'], entry: entries[0] };
}

it('is named to the caller and in the entry', async () => {
  const { status, leftOut, entry } = await ask('claude', { seed: 1, verbosity: 'low' });
  expect(status).toBe(200);
  expect(leftOut?.split(', ').toSorted()).toEqual(['seed', 'verbosity']);
  expect(entry?.leftOut?.toSorted()).toEqual(['seed', 'verbosity']);
});

it('is nothing where the provider has a place for all', async () => {
  const { status, leftOut, entry } = await ask('gpt', { seed: 1, verbosity: 'low' });
  expect({ status, leftOut, inEntry: entry?.leftOut }).toEqual({
    status: 200,
    leftOut: undefined,
    inEntry: undefined,
  });
});

it.each([
  ['claude', 'Hi', 503],
  ['claude', '{"a":1}', 200],
  ['gpt', 'Hi', 200],
] as const)(
  'is checked in the answer where JSON is asked for in words: %s that says %j gets %i',
  async (provider, text, status) => {
    expect((await ask(provider, { response_format: { type: 'json_object' } }, text)).status).toBe(status);
  },
);
