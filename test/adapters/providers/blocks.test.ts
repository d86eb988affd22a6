// The blocks of a turn reach a provider in their order, and what a model thought goes to that very model alone, byte for byte.
import { describe, expect, it } from 'vitest';
import { buildMessagesRequest } from '../../../adapters/providers/anthropic/request.ts';
import { buildConverseRequest } from '../../../adapters/providers/bedrock/request.ts';
import { buildCompletionRequest } from '../../../adapters/providers/openai/request.ts';
import {
  assistantMessage,
  type Message,
  type SealedReasoning,
  userMessage,
} from '../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../core/ports/providers.ts';

const TOOLS = [{ name: 'f', parameters: { type: 'object' } }];
const call = (id: string) => ({ type: 'toolCall' as const, call: { id, name: 'f', arguments: {} } });
const result = (id: string): Message => ({ role: 'tool', toolCallId: id, content: [] });
const requestOf = (messages: readonly Message[]): ModelRequest => ({
  model: 'm',
  system: [],
  messages,
  tools: TOOLS,
  maxTokens: 9,
  signal: new AbortController().signal,
});
const thought = (more: Partial<SealedReasoning>): Message => ({
  role: 'assistant',
  blocks: [
    { type: 'reasoning', reasoning: { origin: 'anthropic', model: 'm', payload: 'Zm9v+/==', ...more } },
    { type: 'text', text: 'Let me see.' },
    call('a'),
    { type: 'text', text: 'And.' },
    call('b'),
  ],
});
const thinking = (more: Partial<SealedReasoning>) =>
  requestOf([userMessage('Hi'), thought(more), result('a'), result('b')]);

const MESSAGES_BLOCKS = [
  { type: 'text', text: 'Let me see.' },
  { type: 'tool_use', id: 'a', name: 'f', input: {} },
  { type: 'text', text: 'And.' },
  { type: 'tool_use', id: 'b', name: 'f', input: {} },
];

describe('a turn of thoughts, texts and calls', () => {
  it('reaches Anthropic in its order, with the bytes of its signature', () => {
    // Neither normalized nor trimmed: the second letter is two code points.
    const text = ' a\u0308 \ud83d\ude00\n';
    expect(buildMessagesRequest(thinking({ text }))).toMatchObject({
      messages: [
        {},
        { content: [{ type: 'thinking', thinking: text, signature: 'Zm9v+/==' }, ...MESSAGES_BLOCKS] },
        {},
      ],
    });
    expect(buildMessagesRequest(thinking({}))).toMatchObject({
      messages: [{}, { content: [{ type: 'redacted_thinking', data: 'Zm9v+/==' }, ...MESSAGES_BLOCKS] }, {}],
    });
  });

  it('reaches Bedrock in its order', () => {
    const { messages } = buildConverseRequest(thinking({ origin: 'bedrock', text: 'Hm.' }));
    expect(messages).toMatchObject([
      {},
      {
        content: [
          { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'Zm9v+/==' } } },
          { text: 'Let me see.' },
          { toolUse: { toolUseId: 'a' } },
          { text: 'And.' },
          { toolUse: { toolUseId: 'b' } },
        ],
      },
      {},
    ]);
    expect(JSON.stringify(buildConverseRequest(thinking({ origin: 'bedrock' })))).toContain(
      '{"reasoningContent":{"redactedContent":"Zm9v+/=="}}',
    );
  });

  it.each([
    ['of another model', { model: 'n' }],
    ['of another provider', { origin: 'openai' }],
  ] as const)('leaves out a thought %s', (_what, more) => {
    const { messages } = buildMessagesRequest(thinking(more));
    expect(messages).toMatchObject([{}, { content: MESSAGES_BLOCKS }, {}]);
    expect(JSON.stringify(buildConverseRequest(thinking(more)))).not.toContain('Zm9v');
    expect(JSON.stringify(buildCompletionRequest('https://m.example.com', thinking(more)))).not.toContain(
      'Zm9v',
    );
  });
});

describe('turns without text', () => {
  it.each<[string, readonly Message[], unknown]>([
    ['none at all', [], [{ role: 'user', content: '(no text)' }]],
    [
      'the assistant first',
      [assistantMessage('Hello!'), userMessage('Hi')],
      [
        { role: 'user', content: '(no text)' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'Hi' },
      ],
    ],
    [
      'an empty turn of the assistant',
      [userMessage('Hi'), assistantMessage(''), userMessage('Still there?')],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'text', text: 'Still there?' },
          ],
        },
      ],
    ],
    [
      'an empty turn of the user',
      [userMessage('Hi'), assistantMessage('Yes?'), userMessage(' \n')],
      [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: '(no text)' },
      ],
    ],
  ])('are filled in or left out for Anthropic: %s', (_what, messages, sent) => {
    expect(buildMessagesRequest(requestOf(messages))['messages']).toEqual(sent);
  });
});

it('gives a call whose id was used before an id of its own, and its result too', () => {
  const rounds = [1, 2].flatMap(() => [assistantMessage('', [call('call_1').call]), result('call_1')]);
  expect(buildMessagesRequest(requestOf([userMessage('Hi'), ...rounds]))['messages']).toMatchObject([
    {},
    { content: [{ id: 'call_1' }] },
    { content: [{ tool_use_id: 'call_1' }] },
    { content: [{ id: 'call_2' }] },
    { content: [{ tool_use_id: 'call_2' }] },
  ]);
});

it('renumbers ten thousand calls in time that grows with their number', () => {
  // Half of the ids are those that renumbering would give, the other half none that the API takes.
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? `call_${index / 2 + 1}` : `ü${index}`));
  const millisecondsFor = (count: number) => {
    const messages = ids(count).flatMap((id) => [assistantMessage('', [call(id).call]), result(id)]);
    const before = process.threadCpuUsage();
    buildMessagesRequest(requestOf([userMessage('Hi'), ...messages]));
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  millisecondsFor(1_000);
  // Quadratic work would take 100 times as long, and about a second.
  expect(millisecondsFor(10_000)).toBeLessThan(500);
});
