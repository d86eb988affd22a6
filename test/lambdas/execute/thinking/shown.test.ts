// `showReasoning`: callers of Chat Completions read what a model thought, whole and streamed, and those of neurons without it nothing.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import { serve } from '../../../../lambdas/execute/serve.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { bedrockEvent, named, sse } from '../../../adapters/providers/streams/protocols.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryCounters } from '../../../support/memory/counters.ts';
import { createMemoryResponseCache } from '../../../support/memory/response-cache.ts';
import { eventOf, portsOf } from '../memory-ports.ts';
import { finish } from '../served.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** Two thoughts, of which the vendor may have signed the first, and an answer; or a call. */
const THOUGHTS = ['Is it \ud83d\ude00?', 'It is.'];
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];

interface Vendor {
  readonly settings: object;
  /** The two thoughts as a caller reads them. */
  readonly shown: string;
  readonly whole: (calls: boolean) => object;
  readonly pieces: (calls: boolean) => readonly (string | Uint8Array)[];
}

/** A server of OpenAI's kind that has thoughts in these members. */
function compatible(...members: readonly string[]): Vendor {
  const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } };
  const finish_reason = (calls: boolean) => (calls ? 'tool_calls' : 'stop');
  const thinking = (text: string) => Object.fromEntries(members.map((name) => [name, text]));
  const chunk = (delta: object, finish?: string) =>
    sse({ id: 'a', choices: [{ index: 0, delta, finish_reason: finish ?? null }] });
  return {
    settings: { type: 'openai', baseUrl: 'https://api.example.com/v1' },
    shown: THOUGHTS.join('\n\n'),
    whole(calls) {
      const said = calls ? { content: null, tool_calls: [call] } : { content: 'Hi' };
      const message = { role: 'assistant', ...thinking(THOUGHTS.join('\n\n')), ...said };
      return { choices: [{ index: 0, message, finish_reason: finish_reason(calls) }] };
    },
    pieces: (calls) => [
      ...[...THOUGHTS.join('\n\n')].map((piece) => chunk({ content: '', ...thinking(piece) })),
      chunk(calls ? { tool_calls: [{ index: 0, ...call }] } : { content: 'Hi' }),
      chunk({}, finish_reason(calls)),
      sse('[DONE]'),
    ],
  };
}

const usage = { input_tokens: 5, output_tokens: 7 };
const anthropicBlocks = (calls: boolean) => [
  { type: 'thinking', thinking: THOUGHTS[0], signature: 's1' },
  { type: 'redacted_thinking', data: 'hidden' },
  // Other servers of this interface sign nothing.
  { type: 'thinking', thinking: THOUGHTS[1] },
  calls ? { type: 'tool_use', id: 'c', name: 'look', input: {} } : { type: 'text', text: 'Hi' },
];
const stopReason = (calls: boolean) => (calls ? 'tool_use' : 'end_turn');

const anthropic: Vendor = {
  settings: { type: 'anthropic', baseUrl: 'https://api.example.com', apiKey: { secret: 'key' } },
  shown: THOUGHTS.join('\n\n'),
  whole: (calls) => ({
    ...{ type: 'message', content: anthropicBlocks(calls), stop_reason: stopReason(calls), usage },
  }),
  pieces: (calls) => [
    named({ type: 'message_start', ...{ message: { usage } } }),
    ...anthropicBlocks(calls).flatMap((content_block, index) => [
      named({ type: 'content_block_start', ...{ index, content_block } }),
      named({ type: 'content_block_stop', ...{ index } }),
    ]),
    named({ type: 'message_delta', ...{ delta: { stop_reason: stopReason(calls) }, usage } }),
    named({ type: 'message_stop' }),
  ],
};

const bedrockUsage = { inputTokens: 5, outputTokens: 7, totalTokens: 12 };
const bedrock: Vendor = {
  settings: { type: 'bedrock', region: 'us-east-1' },
  shown: THOUGHTS.join('\n\n'),
  whole(calls) {
    const content = [
      { reasoningContent: { reasoningText: { text: THOUGHTS[0], signature: 's1' } } },
      { reasoningContent: { redactedContent: 'aGlkZGVu' } },
      { reasoningContent: { reasoningText: { text: THOUGHTS[1] } } },
      calls ? { toolUse: { toolUseId: 'c', name: 'look', input: {} } } : { text: 'Hi' },
    ];
    const stop = { stopReason: stopReason(calls), usage: bedrockUsage };
    return { output: { message: { role: 'assistant', content } }, ...stop };
  },
  pieces(calls) {
    const start = { contentBlockIndex: 3, start: { toolUse: { toolUseId: 'c', name: 'look' } } };
    const delta = (contentBlockIndex: number, one: object) =>
      bedrockEvent('contentBlockDelta', { contentBlockIndex, delta: one });
    const stop = (contentBlockIndex: number) => bedrockEvent('contentBlockStop', { contentBlockIndex });
    return [
      bedrockEvent('messageStart', { role: 'assistant' }),
      ...[...(THOUGHTS[0] ?? '')].map((text) => delta(0, { reasoningContent: { text } })),
      delta(0, { reasoningContent: { signature: 's1' } }),
      stop(0),
      delta(1, { reasoningContent: { redactedContent: 'aGlkZGVu' } }),
      stop(1),
      delta(2, { reasoningContent: { text: THOUGHTS[1] } }),
      stop(2),
      ...(calls
        ? [bedrockEvent('contentBlockStart', start), delta(3, { toolUse: { input: '{}' } })]
        : [delta(3, { text: 'Hi' })]),
      stop(3),
      bedrockEvent('messageStop', { stopReason: stopReason(calls) }),
      bedrockEvent('metadata', { usage: bedrockUsage }),
    ];
  },
};

const VENDORS: Readonly<Record<string, Vendor>> = {
  'DeepSeek and vLLM': compatible('reasoning_content'),
  'OpenRouter and Ollama': compatible('reasoning'),
  'a server that says both': compatible('reasoning_content', 'reasoning'),
  Anthropic: anthropic,
  Bedrock: bedrock,
};

interface Wanted {
  /** The model calls a tool. */
  readonly calls?: boolean;
  /** Pieces of a stream, before it breaks off. */
  readonly cut?: number;
  /** Steps after the call of the model. */
  readonly after?: readonly object[];
}

const CALL = { provider: 'model', model: 'm', maxTokens: 30, retries: 0, accepts: 'all' };

/** A function whose neuron asks this vendor. */
function openNeuron(
  { settings, whole, pieces }: Vendor,
  callModel: object,
  { calls = false, cut, after = [] }: Wanted = {},
) {
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const entries: LogEntry[] = [];
  const lines: string[] = [];
  const flow = [{ callModel: { ...CALL, ...callModel } }, ...after];
  const neuron = { settings: { caching: { exact: true } }, flow };
  const memory = portsOf(
    { providers: { model: settings }, neurons: { hello: neuron } },
    createMemoryCounters(),
    {
      clock,
      responses: createMemoryResponseCache(),
      logs: { put: async (entry) => entries.push(entry) > 0 },
      openHttp: (request) => {
        const { url, body = '' } = request;
        const isStream = body.includes('"stream":true') || url.endsWith('converse-stream');
        const frames = url.endsWith('converse-stream')
          ? 'application/vnd.amazon.eventstream'
          : 'text/event-stream';
        const answer = isStream
          ? { headers: { 'content-type': frames }, pieces: pieces(calls).slice(0, cut) }
          : { headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(whole(calls))] };
        return createStreamHttp(answer).openHttp(request);
      },
    },
  );
  const ports = { ...memory, lines: { write: (line: string) => void lines.push(line) } };
  let asked = 0;
  return {
    kept: () => JSON.stringify([entries, lines]),
    async ask(surface: 'openai' | 'anthropic' | 'responses' | 'native', json: object) {
      asked += 1;
      const event = eventOf('hello', json, { stream: false, surface }, `call-${asked}`, clock);
      return finish(await serve(event as APIGatewayProxyEvent, new AbortController().signal, ports));
    },
  };
}

/** The message that a client makes of an answer, whole or streamed, in the order in which its members began. */
function readMessage(body: string): Readonly<Record<string, unknown>> {
  if (body.startsWith('{')) {
    const { content, tool_calls, reasoning_content } = JSON.parse(body).choices[0].message;
    return { reasoning_content, content: content ?? '', calls: (tool_calls ?? []).length };
  }
  const read: { reasoning_content?: string; content: string; calls: number } = { content: '', calls: 0 };
  for (const [, json = ''] of body.matchAll(/^data: (\{.*)$/gm)) {
    const { delta = {} } = JSON.parse(json).choices?.[0] ?? {};
    if (delta.reasoning_content !== undefined) {
      expect([read.content, read.calls]).toEqual(['', 0]);
      read.reasoning_content = (read.reasoning_content ?? '') + delta.reasoning_content;
    }
    read.content += delta.content ?? '';
    read.calls += (delta.tool_calls ?? []).length;
  }
  return read;
}

const messages = [{ role: 'user', content: 'Think.' }];

describe.each(Object.keys(VENDORS))('what a model of %s thought', (name) => {
  const vendor = VENDORS[name] ?? anthropic;

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('is shown where the step says so; streamed: %s, with a call: %s', async (stream, calls) => {
    const { ask, kept } = openNeuron(vendor, { showReasoning: true }, { calls });
    const { status, body } = await ask('openai', { model: 'hello', messages, tools: TOOLS, stream });
    expect([status, readMessage(body)]).toEqual([
      200,
      { reasoning_content: vendor.shown, content: calls ? '' : 'Hi', calls: calls ? 1 : 0 },
    ]);
    expect(kept()).not.toContain('It is.');
    expect(body).not.toContain('s1');
    expect(body).not.toContain('aGlkZGVu');
  });

  it.each([false, true])('stays here where it does not; streamed: %s', async (stream) => {
    for (const members of [{}, { showReasoning: false }]) {
      const { ask } = openNeuron(vendor, members);
      const { body } = await ask('openai', { model: 'hello', messages, stream });
      expect(readMessage(body)).toEqual({ content: 'Hi', calls: 0 });
    }
  });

  it('is shown by Chat Completions alone, and changes no other form', async () => {
    for (const stream of [false, true]) {
      const bodies = [{ showReasoning: true }, {}].map(async (members) => {
        const { ask } = openNeuron(vendor, { ...members, accepts: ['history', 'tools'] });
        const answers = [
          await ask('anthropic', { model: 'hello', max_tokens: 30, messages, stream }),
          await ask('responses', { model: 'hello', input: 'Think.', stream }),
          await ask('native', { input: 'Think.' }),
        ];
        return answers.map(({ body }) => body);
      });
      const [shown, hidden] = await Promise.all(bodies);
      expect(shown).toEqual(hidden);
      expect(JSON.stringify(shown)).not.toContain('It is.');
    }
  });

  it('is no part of what is cached', async () => {
    const { ask } = openNeuron(vendor, { showReasoning: true, accepts: ['history'] });
    const first = readMessage((await ask('openai', { model: 'hello', messages })).body);
    const second = readMessage((await ask('openai', { model: 'hello', messages })).body);
    expect([first['reasoning_content'], second]).toEqual([vendor.shown, { content: 'Hi', calls: 0 }]);
  });

  it('never makes a whole answer of a cut one, wherever it is cut', async () => {
    const count = vendor.pieces(false).length;
    for (let cut = 1; cut < count - 2; cut += 1) {
      const { ask } = openNeuron(vendor, { showReasoning: true }, { cut });
      const { status, body } = await ask('openai', { model: 'hello', messages, stream: true });
      expect(body).not.toContain('"finish_reason":"stop"');
      expect(status === 503 || body.includes('"error"')).toBe(true);
    }
  });
});

it.each([
  ['another call of a model', { callModel: { ...CALL, showReasoning: false } }],
  ['a text of its own', { serveOutput: { text: 'Hi' } }],
  ['a stop', { stop: { text: 'Hi' } }],
])('is not shown where the output is that of %s', async (_what, step) => {
  for (const stream of [false, true]) {
    const { ask } = openNeuron(anthropic, { accepts: ['history'], showReasoning: true }, { after: [step] });
    const { body } = await ask('openai', { model: 'hello', messages, stream });
    expect(readMessage(body)).toEqual({ content: 'Hi', calls: 0 });
  }
});
