// A request for a message as a conversation: blocks in their order, results as turns of their own, and what of it is refused or left out.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { renderMessage } from '../../../../core/surfaces/anthropic/message.ts';
import { parseAnthropicInvocation } from '../../../../core/surfaces/anthropic/parse.ts';
import { sealReasoning } from '../../../../core/surfaces/sealed-reasoning.ts';

const NEURON = { organization: 'acme', neuron: 'coder', maxInputBytes: 100_000 };
const TEXT = [{ role: 'user', content: 'Hi' }];

function parseText(body: string) {
  return parseAnthropicInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, NEURON);
}
const parse = (members: object) =>
  parseText(JSON.stringify({ model: 'coder', max_tokens: 100, messages: TEXT, ...members }));

function errorOf(members: object | string) {
  try {
    if (typeof members === 'string') parseText(members);
    else parse(members);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return [thrown.code, thrown.param];
    throw thrown;
  }
  return undefined;
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64');
const TOOL = { name: 'f', description: 'd', input_schema: { type: 'object' } };

describe('marks for the prompt cache', () => {
  const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });
  const request = (more: object) => ({
    system: [marked('A'), marked('B')],
    messages: [
      { role: 'user', content: [marked('C')] },
      { role: 'assistant', content: [marked('D')] },
      { role: 'user', content: 'E' },
    ],
    ...more,
  });

  it('are four at most over system, tools and messages, as Anthropic takes them', () => {
    expect(parse(request({})).conversation.system).toHaveLength(2);
    const tools = [{ ...TOOL, cache_control: { type: 'ephemeral' } }];
    expect(errorOf(request({ tools }))).toEqual(['invalid_input', 'cache_control']);
    const none = [{ ...TOOL, cache_control: null }];
    expect(parse(request({ tools: none })).conversation.tools).toHaveLength(1);
  });
});

describe('the messages of a request', () => {
  it('are turns of blocks, with their marks for caches and their results', () => {
    const sealed = { origin: 'anthropic', model: 'claude-x', text: 'Hm.', payload: 'c2ln' } as const;
    const { conversation, leftOut } = parse({
      system: [
        { type: 'text', text: 'A', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'B' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look', citations: null },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: sealReasoning(sealed) },
            { type: 'thinking', thinking: 'Foreign.', signature: 'EqQB' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And?' },
            {
              type: 'tool_result',
              tool_use_id: 't1',
              is_error: true,
              content: [{ type: 'text', text: 'R' }],
              cache_control: { type: 'ephemeral', ttl: '1h' },
            },
          ],
        },
      ],
    });
    expect(conversation.system).toEqual([{ text: 'A', cache: { ttl: '5m' } }, { text: 'B' }]);
    expect(conversation.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', mediaType: 'image/png', data: PNG },
        ],
      },
      {
        role: 'assistant',
        blocks: [
          { type: 'reasoning', reasoning: sealed },
          { type: 'text', text: 'I look.' },
          { type: 'toolCall', call: { id: 't1', name: 'f', arguments: { a: 1 } } },
        ],
      },
      {
        role: 'tool',
        toolCallId: 't1',
        content: [{ type: 'text', text: 'R' }],
        isError: true,
        cache: { ttl: '1h' },
      },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ]);
    expect(leftOut).toEqual(['messages[1].content[1]']);
  });

  it('take the content of a message back as it is', () => {
    const result = {
      output: 'I look.',
      toolCalls: [{ id: 't1', name: 'f', arguments: { a: 1 } }],
      executionStopped: false,
      cache: 'miss',
    } as const;
    const { content } = JSON.parse(renderMessage(result, { executionId: 'e', model: 'm' }, false).body) as {
      content: object[];
    };
    const { conversation } = parse({
      messages: [
        ...TEXT,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] },
      ],
    });
    expect(conversation.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        blocks: [
          { type: 'text', text: 'I look.' },
          { type: 'toolCall', call: { id: 't1', name: 'f', arguments: { a: 1 } } },
        ],
      },
      { role: 'tool', toolCallId: 't1', content: [] },
    ]);
  });

  it.each([
    [{ messages: [{ role: 'user', content: [{ type: 'search_result' }] }] }, 'messages[0].content[0].type'],
    [
      { messages: [...TEXT, { role: 'assistant', content: [{ type: 'server_tool_use' }] }] },
      'messages[1].content[0].type',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
      'messages[0].content[0].source.type',
    ],
    [{ messages: [{ role: 'user', content: 'a\ud800' }] }, 'messages[0].content'],
    [{ system: 'a\ud800' }, 'system'],
    [{ messages: 'Hi' }, 'messages'],
    [{ system: [{ type: 'image' }] }, 'system[0].type'],
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ thinking: { type: 'enabled', budget_tokens: 1000 } }, 'thinking.budget_tokens'],
    [{ output_config: { effort: 'most' } }, 'output_config.effort'],
    [{ top_k: 5 }, 'top_k'],
    [{ mcp_servers: [{ url: 'https://x' }] }, 'mcp_servers'],
    [{ speed: 'fast' }, 'speed'],
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ tools: [TOOL, TOOL] }, 'tools[1].name'],
    [{ tools: [TOOL], tool_choice: { type: 'tool', name: 'g' } }, 'tool_choice.name'],
    [{ tools: [{ type: 'web_search_20250305', name: 'w' }], tool_choice: { type: 'any' } }, 'tool_choice'],
  ])('%j is refused at %s', (members, path) => {
    expect(errorOf(members)).toEqual(['invalid_input', path]);
  });
});

describe('the other members of a request', () => {
  it('reach the model, or are named where they have no effect', () => {
    const { conversation, leftOut } = parse({
      tools: [
        { ...TOOL, cache_control: { type: 'ephemeral' } },
        { type: 'web_search_20250305', name: 'w' },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { effort: 'xhigh', format: { type: 'json_schema', schema: { type: 'object' } } },
      stop_sequences: ['END'],
      temperature: 0.5,
      thinking: { type: 'adaptive', display: 'omitted' },
      metadata: { user_id: 'u' },
      context_management: { edits: [] },
      speed: 'standard',
    });
    expect(conversation).toMatchObject({
      tools: [{ name: 'f', description: 'd', parameters: { type: 'object' }, cache: { ttl: '5m' } }],
      toolChoice: 'required',
      schema: { schema: { type: 'object' } },
      parameters: {
        maxTokens: 100,
        stop: ['END'],
        temperature: 0.5,
        reasoningEffort: 'xhigh',
        parallelToolCalls: false,
      },
      thinking: { mode: 'adaptive' },
    });
    expect(leftOut?.toSorted()).toEqual(['context_management', 'metadata', 'tools[1]']);
  });

  it.each([
    ['{', 'malformed_json'],
    ['[]', 'malformed_body'],
    ['{"model":"other","max_tokens":1,"messages":[]}', 'model_not_found'],
    ['{"model":"coder","max_tokens":1,"messages":[{"role":"user","content":"\\ud800"}]}', 'invalid_input'],
    [
      JSON.stringify({
        model: 'coder',
        max_tokens: 1,
        messages: [{ role: 'user', content: 'x'.repeat(100_001) }],
      }),
      'input_too_large',
    ],
  ])('of %.40s is an error of its own', (body, code) => {
    expect(errorOf(body)?.[0]).toBe(code);
  });
});
