// Callers may send back what they were given: an id of another shape than theirs, or that of another call, is replaced before it leaves.
import { describe, expect, it } from 'vitest';
import { toModelResult as anthropicResult } from '../../../adapters/providers/anthropic/response.ts';
import { toModelResult as bedrockResult } from '../../../adapters/providers/bedrock/response.ts';
import { toModelResult as openaiResult } from '../../../adapters/providers/openai/response.ts';
import { createAssembly } from '../../../adapters/providers/streams/assembly.ts';
import type { ModelResult } from '../../../core/ports/providers.ts';
import { readBody, sse } from './streams/protocols.ts';

const IDS: readonly (readonly [string, RegExp])[] = [
  ['call_1-A', /^call_1-A$/],
  ['functions.f:0', /^call_[0-9a-f]{32}$/],
  ['x'.repeat(65), /^call_[0-9a-f]{32}$/],
  ['', /^call_[0-9a-f]{32}$/],
];

it.each(IDS)('the id %j of a call leaves as one that callers may send', async (id, expected) => {
  const called = { index: 0, id, type: 'function', function: { name: 'f', arguments: '{"a":' } };
  const rest = { index: 0, id, function: { arguments: '1}' } };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ delta, finish_reason }],
  });
  const { events } = await readBody(
    { name: 'openai' },
    {
      pieces: [
        sse(chunk({ tool_calls: [called] })),
        sse(chunk({ tool_calls: [rest] })),
        sse(chunk({}, 'tool_calls')),
      ],
    },
  );
  expect(events[0]).toMatchObject({
    type: 'toolCall',
    call: { id: expect.stringMatching(expected), arguments: { a: 1 } },
  });
  const whole = { ...called, function: { name: 'f', arguments: '{}' } };
  const { toolCalls } = openaiResult({ choices: [{ message: { tool_calls: [whole] } }] }, 200);
  expect(toolCalls?.[0]?.id).toMatch(expected);
});

describe('two calls of one id', () => {
  const named = [
    { id: 'a', name: 'f' },
    { id: 'a', name: 'g' },
    { id: 'b', name: 'h' },
  ];
  const ids = ['a', expect.stringMatching(/^call_[0-9a-f]{32}$/), 'b'];
  const wholes: readonly (readonly [string, ModelResult])[] = [
    [
      'OpenAI',
      openaiResult(
        {
          choices: [
            {
              message: {
                tool_calls: named.map(({ id, name }) => ({ id, function: { name, arguments: '{}' } })),
              },
            },
          ],
        },
        200,
      ),
    ],
    [
      'Anthropic',
      anthropicResult(
        {
          type: 'message',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 's' },
            ...named.map((call) => ({ type: 'tool_use', ...call, input: {} })),
          ],
        },
        200,
      ),
    ],
    [
      'Bedrock',
      bedrockResult(
        {
          stopReason: 'tool_use',
          output: {
            message: {
              content: [
                { reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } },
                ...named.map(({ id, name }) => ({ toolUse: { toolUseId: id, name, input: {} } })),
              ],
            },
          },
        },
        200,
      ),
    ],
  ];

  it.each(wholes)('leave under two in a whole answer of %s, the same in its blocks', (_vendor, result) => {
    expect(result.toolCalls?.map(({ id }) => id)).toEqual(ids);
    const calls = result.blocks?.flatMap((block) => (block.type === 'toolCall' ? [block.call] : []));
    expect(calls ?? result.toolCalls).toEqual(result.toolCalls);
  });

  it('leave under two in a stream', () => {
    const assembly = createAssembly();
    for (const [key, call] of named.entries()) assembly.beginCall(key, { ...call, input: {} });
    const events = assembly.end({ finish: 'stop', usage: undefined, modelVersion: undefined });
    expect(events.flatMap((event) => (event.type === 'toolCall' ? [event.call.id] : []))).toEqual(ids);
  });
});
