// A request for a response as a conversation: items in their order, tools under their pairs of names, and what of it is refused or left out.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { parseResponsesInvocation } from '../../../../core/surfaces/responses/parse.ts';
import { renderResponse } from '../../../../core/surfaces/responses/response.ts';
import { openReasoning, sealReasoning } from '../../../../core/surfaces/sealed-reasoning.ts';

const NEURON = { organization: 'acme', neuron: 'coder', maxInputBytes: 100_000 };

function parseText(body: string) {
  return parseResponsesInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, NEURON);
}
const parse = (members: object) => parseText(JSON.stringify({ model: 'coder', input: 'Hi', ...members }));

function errorOf(members: object | string) {
  try {
    if (typeof members === 'string') parseText(members);
    else parse(members);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return [thrown.code, thrown.param, thrown.detail];
    throw thrown;
  }
  return undefined;
}

const FUNCTION = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false };

describe('the input of a response', () => {
  it('is a text of the user', () => {
    const { input, conversation } = parse({ input: 'Hello', instructions: 'Be brief.' });
    expect(input).toBe('Hello');
    expect(conversation).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: [],
      parameters: {},
    });
  });

  it('is items, whose texts, calls and thoughts of the assistant in a row are one turn', () => {
    const sealed = { origin: 'anthropic', model: 'claude-x', text: 'Hm.', payload: 'c2ln' } as const;
    const { conversation } = parse({
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Rules' }] },
        { role: 'user', content: 'Look' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [],
          content: null,
          encrypted_content: sealReasoning(sealed),
        },
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          phase: 'commentary',
          id: 'msg_1',
          content: [{ type: 'output_text', text: 'I look.', annotations: [], logprobs: [] }],
        },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'c1',
          namespace: 'mcp__x',
          name: 'see',
          arguments: '{"a":1}',
          status: 'completed',
        },
        { type: 'function_call', call_id: 'c2', name: 'hear', arguments: '{"broken' },
        { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'A cat' }] },
        { type: 'function_call_output', call_id: 'c2', output: 'Miaow' },
      ],
    });
    expect(conversation.system).toEqual([{ text: 'Rules' }]);
    expect(conversation.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Look' }] },
      {
        role: 'assistant',
        blocks: [
          { type: 'reasoning', reasoning: sealed },
          { type: 'text', text: 'I look.' },
          { type: 'toolCall', call: { id: 'c1', namespace: 'mcp__x', name: 'see', arguments: { a: 1 } } },
          { type: 'toolCall', call: { id: 'c2', name: 'hear', arguments: '{"broken' } },
        ],
      },
      { role: 'tool', toolCallId: 'c1', content: [{ type: 'text', text: 'A cat' }] },
      { role: 'tool', toolCallId: 'c2', content: [{ type: 'text', text: 'Miaow' }] },
    ]);
  });

  it('takes the output of a response back as it is', () => {
    const first = parse({ input: 'Hello' });
    const result = {
      output: 'I look.',
      toolCalls: [{ id: 'c1', namespace: 'ns', name: 'see', arguments: { a: 1 } }],
      executionStopped: false,
      cache: 'miss',
    } as const;
    const head = { executionId: 'e', timeMs: 0, repeated: first.repeated };
    const { output } = JSON.parse(renderResponse(result, head, false).body) as { output: object[] };
    const { conversation } = parse({
      input: [
        { role: 'user', content: 'Hello' },
        ...output,
        { type: 'function_call_output', call_id: 'c1', output: '' },
      ],
    });
    expect(conversation.messages[1]).toEqual({
      role: 'assistant',
      blocks: [
        { type: 'text', text: 'I look.' },
        { type: 'toolCall', call: { id: 'c1', namespace: 'ns', name: 'see', arguments: { a: 1 } } },
      ],
    });
  });

  it('leaves out thoughts that this service did not seal, and says where they were', () => {
    const foreign = [
      'gAAAA-of-openai',
      'nr1.',
      'nr1.!!!',
      `nr1.${Buffer.from('{"origin":"mars"}').toString('base64url')}`,
      sealReasoning({
        origin: 'openai',
        model: 'm',
        payload: 'p',
        ...{ more: Array.from({ length: 20 }, () => 0) },
      }),
    ];
    const thoughts = foreign.map((text) => ({
      type: 'reasoning',
      id: 'rs',
      summary: [],
      encrypted_content: text,
    }));
    const { conversation, leftOut } = parse({ input: [...thoughts, { role: 'user', content: 'Hi' }] });
    expect(conversation.messages).toHaveLength(1);
    expect(leftOut).toEqual(['input[0]', 'input[1]', 'input[2]', 'input[3]', 'input[4]']);
  });

  it('refuses half of a surrogate pair where the caller wrote it', () => {
    const text = 'a\ud800';
    expect(errorOf({ input: text })?.[1]).toBe('input');
    expect(errorOf({ input: [{ role: 'user', content: text }] })?.[1]).toBe('input[0].content');
  });

  it.each([
    [{ type: 'item_reference', id: 'msg_1' }, /nothing is stored.*"store": false/],
    [{ id: 'msg_1' }, /nothing is stored/],
    [{ type: 'compaction', encrypted_content: 'x' }, /must be one of message, function_call/],
    [{ type: '__proto__' }, /must be one of/],
    [7, /must be an object/],
  ])('refuses the item %j, and says what to send', (item, text) => {
    const [code, , detail] = errorOf({ input: [item] }) ?? [];
    expect(code).toBe('invalid_input');
    expect(detail).toMatch(text);
  });
});

describe('the tools of a response', () => {
  it('are functions and namespaces; those of OpenAI are left out where nothing forces them', () => {
    const { conversation, leftOut, repeated } = parse({
      tools: [
        FUNCTION,
        { type: 'web_search' },
        {
          type: 'namespace',
          name: 'mcp__x',
          description: 'd',
          tools: [{ ...FUNCTION, defer_loading: true }],
        },
      ],
      tool_choice: 'auto',
    });
    expect(conversation.tools).toEqual([
      { name: 'f', parameters: { type: 'object' }, strict: false },
      { name: 'f', namespace: 'mcp__x', parameters: { type: 'object' }, strict: false },
    ]);
    expect(leftOut).toEqual(['tools[1]']);
    expect(repeated.tools.map(({ type }) => type)).toEqual(['function', 'namespace']);
  });

  it('may come as an item of the input', () => {
    const tools = { type: 'additional_tools', role: 'developer', tools: [FUNCTION] };
    expect(parse({ input: [tools, { role: 'user', content: 'Hi' }] }).conversation.tools).toHaveLength(1);
  });

  it('are narrowed by the choice of allowed ones', () => {
    const { conversation } = parse({
      tools: [FUNCTION, { ...FUNCTION, name: 'g' }],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] },
    });
    expect(conversation.tools.map(({ name }) => name)).toEqual(['g']);
    expect(conversation.toolChoice).toBe('required');
  });

  it.each([
    [{ tools: [{ type: 'custom', name: 'apply_patch' }] }, 'tools[0].type'],
    [{ tools: [FUNCTION, FUNCTION] }, 'tools[1].name'],
    [{ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
    [{ tools: [FUNCTION], tool_choice: { type: 'function', name: 'g' } }, 'tool_choice.name'],
    [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'tool_choice'],
  ])('%j is refused at %s', (members, path) => {
    expect(errorOf(members)?.slice(0, 2)).toEqual(['invalid_input', path]);
  });
});

describe('a member of a request for a response', () => {
  it.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'c' }, 'conversation'],
    [{ background: true }, 'background'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ truncation: 'auto' }, 'truncation'],
    [{ max_tool_calls: 3 }, 'max_tool_calls'],
    [{ top_logprobs: 2 }, 'top_logprobs'],
    [{ service_tier: 'priority' }, 'service_tier'],
    [{ include: ['message.output_text.logprobs'] }, 'include[0]'],
  ])('%j is refused by its name', (members, path) => {
    expect(errorOf(members)?.slice(0, 2)).toEqual(['invalid_input', path]);
  });

  it('that agents send by habit changes nothing, and is named', () => {
    const { conversation, leftOut } = parse({
      store: false,
      client_metadata: { session: 's' },
      include: ['reasoning.encrypted_content'],
      text: {},
      reasoning: { summary: 'auto', context: 'auto' },
      stream_options: { include_usage: true },
      background: false,
      truncation: 'disabled',
      metadata: null,
    });
    expect(conversation).toEqual(parse({}).conversation);
    expect(leftOut).toEqual(['reasoning.context', 'store', 'client_metadata']);
  });

  it('has a verbosity and a key of a prompt cache, which are repeated', () => {
    const { conversation, repeated } = parse({ text: { verbosity: 'low' }, prompt_cache_key: 'k' });
    expect(conversation).toMatchObject({ parameters: { verbosity: 'low' }, promptCacheKey: 'k' });
    expect(repeated).toMatchObject({ text: { verbosity: 'low' }, prompt_cache_key: 'k' });
    expect(errorOf({ text: { verbosity: 'loud' } })?.slice(0, 2)).toEqual([
      'invalid_input',
      'parameters.verbosity',
    ]);
  });

  it('names a prototype, which is no member of any table', () => {
    expect(
      parseText('{"model":"coder","input":"Hi","__proto__":{"stream":true},"constructor":1}'),
    ).toMatchObject({
      stream: false,
      leftOut: ['__proto__', 'constructor'],
    });
  });

  it('that is a schema or a bound reaches the model', () => {
    const { conversation, repeated } = parse({
      text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
      max_output_tokens: 20,
      temperature: 0.5,
      parallel_tool_calls: false,
    });
    expect(conversation.schema).toEqual({ name: 'n', schema: { type: 'object' }, strict: true });
    expect(conversation.parameters).toEqual({ temperature: 0.5, maxTokens: 20, parallelToolCalls: false });
    expect(repeated).toMatchObject({ max_output_tokens: 20, temperature: 0.5, parallel_tool_calls: false });
  });

  it.each([
    ['{}', 'invalid_input'],
    ['{"model":"coder"}', 'invalid_input'],
    ['{"model":"other","input":"x"}', 'model_not_found'],
    ['[]', 'malformed_body'],
    ['{', 'malformed_json'],
    ['{"model":"coder","input":"\\ud800"}', 'invalid_input'],
    [`{"model":"coder","input":"${'x'.repeat(100_001)}"}`, 'input_too_large'],
  ])('in %.40s is an error of its own', (body, code) => {
    expect(errorOf(body)?.[0]).toBe(code);
  });
});

it('seals and opens thoughts to the byte', () => {
  const sealed = { origin: 'bedrock', model: 'm', text: 'ü\u2028', payload: 'a+/=' } as const;
  expect(openReasoning(sealReasoning(sealed))).toEqual(sealed);
});
