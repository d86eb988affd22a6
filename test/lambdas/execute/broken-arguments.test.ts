// A model's broken arguments of a tool: OpenAI's interface passes them as the text that they are, the service's own has an error for them, both
// book what the provider reported, and no other caller of the neuron notices.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { createCircuitBreakers } from '../../../core/flow/circuit-breaker.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../adapters/providers/stream-http.ts';
import { sse } from '../../adapters/providers/streams/protocols.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryCounters } from '../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../support/memory/response-cache.ts';
import { eventOf, portsOf } from './memory-ports.ts';
import { finish } from './served.ts';

const USAGE = { prompt_tokens: 20, completion_tokens: 12 };

/** How a model breaks arguments: cut off, not JSON at all, JSON of another type. */
const BROKEN = [
  '{"city": "Par',
  'Paris',
  "{'city': 'Paris'}",
  '["Paris"]',
  '"Paris"',
  'null',
  '{"city":"Paris"}}',
  ' ',
];

const calls = (args: string) => [
  { index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: args } },
];

const whole = (args: string): string =>
  JSON.stringify({
    choices: [{ index: 0, message: { content: null, tool_calls: calls(args) }, finish_reason: 'tool_calls' }],
    usage: USAGE,
  });

const streamed = (args: string): string =>
  sse({ choices: [{ index: 0, delta: { tool_calls: calls(args) } }] }) +
  sse({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }) +
  sse({ choices: [], usage: USAGE }) +
  sse('[DONE]');

const hello = (isStream: boolean): string =>
  isStream
    ? sse({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] }) + sse('[DONE]')
    : JSON.stringify({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] });

/** A neuron whose model breaks its arguments whenever it is offered tools. */
function openNeuron(args: string) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const sent: { readonly messages: readonly unknown[] }[] = [];
  const entries: { readonly code?: unknown; readonly tokensInput: number; readonly tokensOutput: number }[] =
    [];
  const circuits = createCircuitBreakers(clock);
  const call = { provider: 'model', model: 'm', retries: 0, accepts: ['tools', 'history'] };
  const memory = portsOf(
    {
      providers: { model: { type: 'openai', baseUrl: 'https://api.example.com/v1' } },
      neurons: { agent: { flow: [{ callModel: call }] } },
    },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: (request) => {
        const body = JSON.parse(request.body ?? '{}');
        sent.push(body);
        const isStream = body.stream === true;
        const text = body.tools === undefined ? hello(isStream) : (isStream ? streamed : whole)(args);
        const type = isStream ? 'text/event-stream' : 'application/json';
        return createStreamHttp({ headers: { 'content-type': type }, pieces: [text] }).openHttp(request);
      },
    },
  );
  let count = 0;
  return {
    sent,
    entries,
    async ask(json: object, surface: 'native' | 'openai', stream: boolean) {
      count += 1;
      const body = surface === 'openai' ? { model: 'agent', stream, ...json } : json;
      const event = eventOf('agent', body, { surface, stream }, `call-${count}`, clock);
      const ports = { ...memory, circuits };
      const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports);
      return finish(served);
    },
  };
}

const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
const QUESTION = { role: 'user', content: 'How is the weather?' };
const ASKED = { messages: [QUESTION], tools: TOOLS };

function argumentsIn(body: string, isStream: boolean): unknown {
  if (!isStream) return JSON.parse(body).choices[0].message.tool_calls[0].function.arguments;
  const chunks = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  return chunks
    .flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    .map((one) => one.function.arguments)
    .join('');
}

for (const isStream of [false, true]) {
  const how = isStream ? 'streamed' : 'whole';

  it.each(BROKEN)(`pass as text to a client of OpenAI, ${how}: %j`, async (args) => {
    const neuron = openNeuron(args);
    const { status, body } = await neuron.ask(ASKED, 'openai', isStream);
    expect(status).toBe(200);
    expect(argumentsIn(body, isStream)).toBe(args);
    expect(body).toContain('"finish_reason":"tool_calls"');
    expect(neuron.entries).toMatchObject([{ outcome: 'success', tokensInput: 20, tokensOutput: 12 }]);
  });

  it.each(BROKEN)(`are an error of their own on the service's own route, ${how}: %j`, async (args) => {
    const neuron = openNeuron(args);
    const { status, body } = await neuron.ask(ASKED, 'native', isStream);
    if (!isStream) expect(status).toBe(422);
    expect(body).toContain('"code":"malformed_tool_call"');
    expect(body).toContain('no JSON object');
    expect(body).not.toContain('call_a');
    expect(neuron.entries).toMatchObject([
      { code: 'malformed_tool_call', tokensInput: 20, tokensOutput: 12, modelCalls: [{ attempts: 1 }] },
    ]);
  });

  it.each(['native', 'openai'] as const)(`close the neuron to nobody, ${how}: %s`, async (surface) => {
    const neuron = openNeuron('{"city": "Par');
    for (let index = 0; index < 12; index += 1) {
      const asked = { ...ASKED, messages: [{ role: 'user', content: `How is it? ${index}` }] };
      await neuron.ask(asked, surface, isStream);
    }
    const { status, body } = await neuron.ask({ messages: [QUESTION] }, surface, isStream);
    expect(status).toBe(200);
    expect(body).toContain('Hi');
    expect(neuron.sent).toHaveLength(13);
  });
}

it.each(['native', 'openai'] as const)('go back to the provider as they came, from %s', async (surface) => {
  const neuron = openNeuron('{}');
  const call = { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city": "Par' } };
  const history = [
    QUESTION,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_a', content: 'The arguments are no JSON. Try again.' },
  ];
  const { status } = await neuron.ask({ messages: history, tools: TOOLS }, surface, false);
  expect(status).toBe(200);
  expect(neuron.sent[0]?.messages).toEqual(history);
});
