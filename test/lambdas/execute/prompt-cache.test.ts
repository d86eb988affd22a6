// `promptCache: auto` through the function: a client of OpenAI, which cannot mark anything, has its conversation kept by Anthropic.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
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
const ANSWERS = {
  claude: { type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' },
  gpt: { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] },
};

async function ask(provider: keyof typeof PROVIDERS, settings: object) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const sent: string[] = [];
  const callModel = { provider, model: 'm', retries: 0, accepts: ['system', 'tools'], ...settings };
  const stored = { providers: PROVIDERS, neurons: { hello: { flow: [{ callModel }] } } };
  const ports = portsOf(stored, createMemoryCounters(), {
    clock,
    responses: createMemoryResponseCache(),
    logs: { put: async () => true },
    openHttp: (request) => {
      sent.push(request.body ?? '');
      const answer = {
        headers: { 'content-type': 'application/json' },
        pieces: [JSON.stringify(ANSWERS[provider])],
      };
      return createStreamHttp(answer).openHttp(request);
    },
  });
  const body = {
    model: 'hello',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    tools: [{ type: 'function', function: { name: 'look_up' } }],
  };
  const event = eventOf('hello', body, { surface: 'openai', stream: false }, 'call-1', clock);
  const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
  const { headers } = served.answer();
  const { status } = await finish(served);
  return { status, sent: JSON.parse(sent[0] ?? '{}'), leftOut: headers['X-Neuron-Left-Out'] };
}

const cache_control = { type: 'ephemeral' };

it('marks tools, system text and the last turn for Anthropic', async () => {
  const { status, sent, leftOut } = await ask('claude', { promptCache: 'auto' });
  expect(status).toBe(200);
  expect(sent.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control }]);
  expect(sent.tools).toMatchObject([{ name: 'look_up', cache_control }]);
  expect(sent.messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hello', cache_control }] },
  ]);
  expect(leftOut).toBeUndefined();
});

it.each([
  ['claude', {}],
  ['claude', { promptCache: 'off' }],
  ['claude', { promptCache: 'caller' }],
  ['gpt', { promptCache: 'auto' }],
] as const)('marks nothing, and names nothing as left out, for %s with %j', async (provider, settings) => {
  const { status, sent, leftOut } = await ask(provider, settings);
  expect(status).toBe(200);
  expect(JSON.stringify(sent)).not.toContain('cache_control');
  expect(leftOut).toBeUndefined();
});
