// What is nested deeper than code that walks through it has stack for: a body is refused by every surface, and an answer is a malformed one,
// whole and streamed, with guards and without.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { readCall } from '../../../adapters/providers/tool-arguments.ts';
import { ProviderFailure } from '../../../core/ports/providers.ts';
import { serve } from '../../../lambdas/execute/serve.ts';
import { openGuarded, type Told } from './guards/function.ts';
import { callOf, MAIL, SURFACES } from './guards/shapes/call.ts';
import { KEY } from './guards/shapes/vendor.ts';
import { eventOf } from './memory-ports.ts';
import { finish } from './served.ts';

const nested = (levels: number) => `${'{"a":'.repeat(levels)}"${MAIL}"${'}'.repeat(levels)}`;

/** A body by its text, since no value of so many levels can be written as one. */
async function send(surface: 'mcp' | 'embeddings' | (typeof SURFACES)[number], body: string) {
  const model = openGuarded({});
  const event = { ...eventOf('support', {}, { stream: false, surface }, 'call-1', model.clock), body };
  const served = await serve(event as APIGatewayProxyEvent, new AbortController().signal, model.ports);
  const { status, body: answer } = await finish(served);
  return { status, answer: String(answer), asked: model.asked.length };
}

const BODIES = {
  native: (deep: string) => `{"input":"Hello","metadata":${deep}}`,
  openai: (deep: string) =>
    `{"model":"support","messages":[{"role":"user","content":"Hi"}],"modalities":${deep}}`,
  responses: (deep: string) => `{"model":"support","input":"Hi","store":false,"metadata":{"x":${deep}}}`,
  anthropic: (deep: string) =>
    `{"model":"support","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"metadata":${deep}}`,
  embeddings: (deep: string) => `{"model":"support","input":"Hi","user":${deep}}`,
  mcp: (deep: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"support","arguments":{"input":"Hi","x":${deep}}}}`,
};

it.each([...SURFACES, 'embeddings', 'mcp'] as const)('a body is refused by %s', async (surface) => {
  for (const levels of [200, 5_000, 50_000]) {
    const { status, answer, asked } = await send(surface, BODIES[surface](nested(levels)));
    expect([status, asked]).toEqual([surface === 'native' ? 422 : 400, 0]);
    expect(answer).toContain('nested more than 200 levels deep');
  }
});

it('a body of 200 levels is none of them', async () => {
  expect(await send('native', BODIES.native(nested(199)))).toMatchObject({ status: 200, asked: 1 });
});

const input = (levels: number) => JSON.parse(nested(levels)) as object;
const usage = { input_tokens: 10, output_tokens: 5 };
const message = (levels: number) => ({
  ...{ type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', usage },
  content: [{ type: 'tool_use', id: 'a', name: 'find', input: input(levels) }],
});
const events = (levels: number, start: object, pieces: readonly string[]) => [
  { type: 'message_start', message: { model: 'm', usage } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'a', name: 'find', input: start },
  },
  ...pieces.map((partial_json) => ({
    ...{ type: 'content_block_delta', index: 0 },
    delta: { type: 'input_json_delta', partial_json },
  })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { ...usage, levels } },
  { type: 'message_stop' },
];
const anthropic = { provider: { type: 'anthropic', baseUrl: 'https://api.example.com', ...KEY } };
const CALLS = {
  'a text': {
    told: (levels: number): Told => ({ toolCalls: [{ name: 'find', arguments: nested(levels) }] }),
    form: {},
  },
  'an object': {
    told: (levels: number): Told => ({ body: message(levels), chunks: events(levels, input(levels), []) }),
    form: anthropic,
  },
  'pieces of a text': {
    told: (levels: number): Told => ({ body: message(levels), chunks: events(levels, {}, [nested(levels)]) }),
    form: anthropic,
  },
};
const WAYS = SURFACES.flatMap((surface) => [false, true].map((stream) => ({ surface, stream })));

it.each(Object.entries(CALLS).flatMap(([as, call]) => WAYS.map((way) => ({ as, ...call, ...way }))))(
  'arguments as $as are a malformed answer by $surface, streamed: $stream',
  async ({ told, form, ...way }) => {
    for (const action of ['redact', 'flag']) {
      const { answer, model, found } = await callOf(told(101), { ...way, action }, form);
      expect([answer.status, model.entries[0]?.code]).toEqual([503, 'upstream_unavailable']);
      expect([found, model.asked.length]).toEqual([[], 1]);
      expect((await callOf(told(100), { ...way, action }, form)).answer.status).toBe(200);
    }
  },
);

it('arguments of 50,000 levels are one, too', async () => {
  for (const way of WAYS) {
    const { answer, found } = await callOf(CALLS['a text'].told(50_000), { ...way, action: 'redact' });
    expect([answer.status, found]).toEqual([503, []]);
  }
});

it.each(WAYS)(
  'a text that is to be JSON is one by $surface, streamed: $stream',
  async ({ surface, stream }) => {
    const json = {
      native: { responseFormat: { type: 'json_object' } },
      openai: { response_format: { type: 'json_object' } },
      responses: { text: { format: { type: 'json_object' } } },
      anthropic: { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    }[surface];
    for (const levels of [101, 50_000]) {
      const told = { text: nested(levels), size: 10_000 };
      const { answer, model, found } = await callOf(told, { surface, stream, action: 'redact' }, { json });
      expect([model.entries[0]?.code, found]).toEqual(['upstream_unavailable', []]);
      if (!stream) expect(answer.status).toBe(503);
    }
  },
);

it('a list in the place of arguments is one before it is written as a text', () => {
  const report = { status: 200, usage: undefined, toId: () => 'a' };
  const list = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(() => readCall({ id: 'a', name: 'find', input: list }, report)).toThrow(ProviderFailure);
});
