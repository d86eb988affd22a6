// Arguments of a tool call that are no JSON object, in each protocol: read as the text that the model wrote, and sent back in a form that it takes.
import { describe, expect, it } from 'vitest';
import { buildMessagesRequest } from '../../../adapters/providers/anthropic/request.ts';
import { toModelResult as readMessage } from '../../../adapters/providers/anthropic/response.ts';
import { buildConverseRequest } from '../../../adapters/providers/bedrock/request.ts';
import { toModelResult as readConverse } from '../../../adapters/providers/bedrock/response.ts';
import { buildCompletionRequest } from '../../../adapters/providers/openai/request.ts';
import { toModelResult as readCompletion } from '../../../adapters/providers/openai/response.ts';
import { assistantMessage, userMessage } from '../../../core/conversation/conversation.ts';
import type { ModelRequest, ModelResult } from '../../../core/ports/providers.ts';
import { bedrockEvent, named, readBody, sse } from './streams/protocols.ts';

const BROKEN = ['{"city": "Par', 'Paris', '["Paris"]', 'null', '7', ' '] as const;

const STREAMS = {
  openai: (text: string) => [
    sse({
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'one', arguments: text } }] },
        },
      ],
    }),
    sse({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
    sse({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 12 } }),
    sse('[DONE]'),
  ],
  anthropic: (text: string) =>
    [
      { type: 'message_start', message: { usage: { input_tokens: 20, output_tokens: 1 } } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'a', name: 'one', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 12 } },
      { type: 'message_stop' },
    ].map(named),
  bedrock: (text: string) => [
    bedrockEvent('messageStart', { role: 'assistant' }),
    bedrockEvent('contentBlockStart', {
      contentBlockIndex: 0,
      start: { toolUse: { toolUseId: 'a', name: 'one' } },
    }),
    bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: text } } }),
    bedrockEvent('contentBlockStop', { contentBlockIndex: 0 }),
    bedrockEvent('messageStop', { stopReason: 'tool_use' }),
    bedrockEvent('metadata', { usage: { inputTokens: 20, outputTokens: 12, totalTokens: 32 } }),
  ],
} as const;

const PROTOCOLS = ['openai', 'anthropic', 'bedrock'] as const;

describe.each(PROTOCOLS)('a stream of %s', (name) => {
  it.each(BROKEN)('with the arguments %j is whole, and has its usage', async (text) => {
    const { events, thrown } = await readBody({ name }, { pieces: STREAMS[name](text) });
    expect(thrown).toBeUndefined();
    expect(events).toMatchObject([
      { type: 'toolCall', call: { id: 'a', name: 'one', arguments: text } },
      { type: 'end', finish: 'toolCalls', usage: { input: 20, output: 12 } },
    ]);
  });
});

/** Whole answers with a call; their usage is 20 and 12. */
const WHOLE: Readonly<Record<(typeof PROTOCOLS)[number], (input?: unknown) => ModelResult>> = {
  openai: (input) =>
    readCompletion(
      {
        choices: [{ message: { tool_calls: [{ id: 'a', function: { name: 'one', arguments: input } }] } }],
        usage: { prompt_tokens: 20, completion_tokens: 12 },
      },
      200,
    ),
  anthropic: (input) =>
    readMessage(
      {
        type: 'message',
        content: [{ type: 'tool_use', id: 'a', name: 'one', input }],
        usage: { input_tokens: 20, output_tokens: 12 },
      },
      200,
    ),
  bedrock: (input) =>
    readConverse(
      {
        output: { message: { content: [{ toolUse: { toolUseId: 'a', name: 'one', input } }] } },
        stopReason: 'tool_use',
        usage: { inputTokens: 20, outputTokens: 12, totalTokens: 32 },
      },
      200,
    ),
};

describe.each(PROTOCOLS)('a whole answer of %s', (name) => {
  it.each(BROKEN)('with the arguments %j has them as text', (text) => {
    expect(WHOLE[name](text)).toMatchObject({
      toolCalls: [{ id: 'a', name: 'one', arguments: text }],
      finish: 'toolCalls',
      usage: { input: 20, output: 12 },
    });
  });

  it('with arguments of another type has them as JSON, and lone halves of characters replaced', () => {
    expect(WHOLE[name](['Paris']).toolCalls?.[0]?.arguments).toBe('["Paris"]');
    expect(WHOLE[name]('\ud83d').toolCalls?.[0]?.arguments).toBe('\ufffd');
  });

  it('without arguments is a mistake of its model: its usage is known, and its provider is well', () => {
    expect(() => WHOLE[name]()).toThrow(
      expect.objectContaining({
        kind: 'malformed_answer',
        isOfModel: true,
        usage: { input: 20, output: 12 },
      }),
    );
  });
});

it.each(['malformed_model_output', 'malformed_tool_use'])(
  'Bedrock says %s of what its model wrote, streamed and whole, with the usage',
  async (stopReason) => {
    const report = { kind: 'malformed_answer', isOfModel: true, usage: { input: 20, output: 12 } };
    const usage = { inputTokens: 20, outputTokens: 12, totalTokens: 32 };
    const pieces = [
      bedrockEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
      bedrockEvent('messageStop', { stopReason }),
      bedrockEvent('metadata', { usage }),
    ];
    expect((await readBody({ name: 'bedrock' }, { pieces })).thrown).toMatchObject(report);
    const whole = { output: { message: { content: [{ text: 'Hi' }] } }, stopReason, usage };
    expect(() => readConverse(whole, 200)).toThrow(expect.objectContaining(report));
  },
);

describe('a history with the arguments {"city": "Par', () => {
  const text = '{"city": "Par';
  const request: ModelRequest = {
    model: 'm',
    system: [],
    messages: [
      userMessage('How is the weather?'),
      assistantMessage('', [{ id: 'a', name: 'one', arguments: text }]),
      { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'no JSON' }] },
    ],
    tools: [{ name: 'one', parameters: { type: 'object' } }],
    maxTokens: 5,
    signal: new AbortController().signal,
  };

  it('goes to OpenAI as the text', () => {
    expect(buildCompletionRequest('https://api.openai.com/v1', request)['messages']).toMatchObject([
      {},
      { tool_calls: [{ id: 'a', type: 'function', function: { name: 'one', arguments: text } }] },
      {},
    ]);
  });

  it('goes to Anthropic and Bedrock, which take objects only, in an object', () => {
    const input = { invalidArguments: text };
    expect(buildMessagesRequest(request)['messages']).toMatchObject([
      {},
      { content: [{ type: 'tool_use', id: 'a', name: 'one', input }] },
      {},
    ]);
    expect(buildConverseRequest(request)['messages']).toMatchObject([
      {},
      { content: [{ toolUse: { toolUseId: 'a', name: 'one', input } }] },
      {},
    ]);
  });
});
