// Every mistake in a request body is named with its path, before anything is spent.
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { rejected } from './refused.ts';

const HELLO = [{ role: 'user', content: 'Hello' }];
const TOOL = { type: 'function', function: { name: 'look_up' } };
const TOO_LARGE = 'input_too_large: The conversation is longer than this neuron allows.';
const FORMAT = { name: 'answer', schema: { type: 'object' } };

describe('a mistake is named with its path', () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
  const listOf = (values: number) => `{"a":[${'1,'.repeat(values)}1]}`;
  const call = (id: unknown, called: unknown) => [
    ...HELLO,
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: called }] },
    { role: 'tool', tool_call_id: id, content: '' },
  ];
  const withMessages = (messages: unknown) => ({ messages });
  const withTool = (called: object) => ({
    messages: HELLO,
    tools: [TOOL, { type: 'function', function: called }],
  });
  const withFormat = (responseFormat: object) => ({ messages: HELLO, responseFormat });
  const withParameters = (parameters: unknown) => ({ messages: HELLO, parameters });

  it.each<[string, object]>([
    ['"messages" must be a list of 1 to 10000 entries.', withMessages('Hello')],
    ['"messages" must be a list of 1 to 10000 entries.', withMessages([])],
    [
      '"messages" must be a list of 1 to 10000 entries.',
      withMessages(Array.from({ length: 10_001 }, () => HELLO[0])),
    ],
    ['"messages[1]" must be an object with role and content.', withMessages([...HELLO, 'Hello'])],
    [
      '"messages[0].role" must be one of user, assistant, tool, system, developer.',
      withMessages([{ content: 'x' }]),
    ],
    [
      '"messages[0].role" must be one of user, assistant, tool, system, developer.',
      withMessages([{ role: 'function', content: 'x' }]),
    ],
    ['"messages[0].content" is missing.', withMessages([{ role: 'user' }])],
    ['"messages[0].content" is missing.', withMessages([{ role: 'user', content: null }])],
    [
      '"messages[0].content" must be a text or a list of parts.',
      withMessages([{ role: 'user', content: 7 }]),
    ],
    [
      '"messages[0].content" must be well-formed Unicode.',
      withMessages([{ role: 'user', content: '\ud800' }]),
    ],
    [
      '"messages[0].content[0].type" must be one of text, image_url, file.',
      withMessages([{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav' } }] }]),
    ],
    [
      '"messages[0].content[0].type" must be one of text, image_url, file.',
      withMessages([{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }]),
    ],
    [
      '"messages[0].content[0]" must be a part with a type.',
      withMessages([{ role: 'user', content: ['x'] }]),
    ],
    [
      '"messages[0].content[0].text" is missing.',
      withMessages([{ role: 'user', content: [{ type: 'text' }] }]),
    ],
    [
      '"messages[0].content[0].type" must be one of text, refusal.',
      withMessages([{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }, ...HELLO]),
    ],
    [
      '"messages[1].function_call" is not supported.',
      withMessages([...HELLO, { role: 'assistant', function_call: {} }, ...HELLO]),
    ],
    [
      '"messages[1].audio" is not supported.',
      withMessages([...HELLO, { role: 'assistant', content: 'x', audio: { id: 'a' } }, ...HELLO]),
    ],
    [
      '"messages[1].tool_calls[0].id" must be 1 to 64 letters, digits, _ or -.',
      withMessages(call('', { name: 'f', arguments: '{}' })),
    ],
    ['"messages[1].tool_calls[0].function" is missing.', withMessages(call('1', undefined))],
    [
      '"messages[1].tool_calls[0].function.name" must be 1 to 64 letters, digits, _ or -.',
      withMessages(call('1', { name: 'look up', arguments: '{}' })),
    ],
    ['"messages[1].tool_calls[0].function.arguments" is missing.', withMessages(call('1', { name: 'f' }))],
    [
      '"messages[1].tool_calls[0].function.arguments" must be a text.',
      withMessages(call('1', { name: 'f', arguments: {} })),
    ],
    [
      '"messages[1].tool_calls[0].function.arguments" must not be nested more than 100 deep.',
      withMessages(call('1', { name: 'f', arguments: JSON.stringify(nested(101)) })),
    ],
    [
      '"messages[3].tool_calls[0].function.arguments" must not have more than 100000 values and names with those of the calls before it.',
      withMessages([
        ...call('1', { name: 'f', arguments: listOf(60_000) }),
        ...call('1', { name: 'f', arguments: listOf(40_000) }).slice(1),
      ]),
    ],
    ['"messages[1].tool_call_id" is missing.', withMessages([...HELLO, { role: 'tool', content: 'x' }])],
    [
      '"tools[0].type" must be one of function.',
      { messages: HELLO, tools: [{ type: 'custom', custom: {} }].map(({ type }) => ({ type })) },
    ],
    ['"tools[1].function.name" is missing.', withTool({})],
    ['"tools[1].function.name" must be 1 to 64 letters, digits, _ or -.', withTool({ name: 'x'.repeat(65) })],
    ['"tools[1].function.name" must not be used twice.', withTool({ name: 'look_up' })],
    ['"tools[1].function.description" must be a text.', withTool({ name: 'f', description: 1 })],
    ['"tools[1].function.parameters" must be an object.', withTool({ name: 'f', parameters: [] })],
    [
      '"tools[1].function.parameters.type" must be object.',
      withTool({ name: 'f', parameters: { type: 'string' } }),
    ],
    [
      '"tools[1].function.parameters" must not be nested more than 100 deep.',
      withTool({ name: 'f', parameters: nested(101) }),
    ],
    [
      '"tools[1].function.parameters" must not have more than 10000 values.',
      withTool({ name: 'f', parameters: { x: Array.from({ length: 10_000 }, () => []) } }),
    ],
    ['"tools[1].function.strict" must be true or false.', withTool({ name: 'f', strict: 'yes' })],
    [
      '"messages[0].content" must be a list of 0 to 100 entries.',
      withMessages([
        { role: 'user', content: Array.from({ length: 101 }, () => ({ type: 'text', text: 'x' })) },
      ]),
    ],
    [
      '"messages[0].content[0].file.file_id" is not supported: send the file itself as file_data.',
      withMessages([{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }]),
    ],
    [
      '"messages[0].content[0].file.file_data" is missing.',
      withMessages([{ role: 'user', content: [{ type: 'file', file: {} }] }]),
    ],
    [
      '"messages[0].content[0].file.file_data" must be a PDF document as a data URL: data:application/pdf;base64,….',
      withMessages([
        { role: 'user', content: [{ type: 'file', file: { file_data: 'data:text/html;base64,AAAA' } }] },
      ]),
    ],
    [
      '"messages[0].content[0].file.file_data" must hold base64 with its padding.',
      withMessages([
        {
          role: 'user',
          content: [{ type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0!' } }],
        },
      ]),
    ],
    [
      '"messages[0].content[5]" must not be: a conversation has at most 5 documents.',
      withMessages([
        {
          role: 'user',
          content: Array.from({ length: 6 }, () => ({ type: 'file', file: { file_data: 'JVBERi0x' } })),
        },
      ]),
    ],
    [
      '"tools" must be a list of 0 to 512 entries.',
      {
        messages: HELLO,
        tools: Array.from({ length: 513 }, (_, index) => ({
          type: 'function',
          function: { name: `f${index}` },
        })),
      },
    ],
    ['"parameters.logitBias" must be an object.', withParameters({ logitBias: [1] })],
    [
      '"parameters.logitBias" must have numbers of tokens as its names.',
      withParameters(JSON.parse('{"logitBias":{"__proto__":1}}')),
    ],
    ['"parameters.logitBias" must be a number from -100 to 100.', withParameters({ logitBias: { 7: 101 } })],
    ['"parameters.frequencyPenalty" must be a number from -2 to 2.', withParameters({ frequencyPenalty: 3 })],
    ['"parameters.parallelToolCalls" must be true or false.', withParameters({ parallelToolCalls: 1 })],
    ['"toolChoice" goes with tools only.', { messages: HELLO, toolChoice: 'auto' }],
    [
      '"toolChoice" must be one of auto, none, required.',
      { messages: HELLO, tools: [TOOL], toolChoice: 'any' },
    ],
    [
      '"toolChoice.function.name" must be the name of a tool.',
      { messages: HELLO, tools: [TOOL], toolChoice: { type: 'function', function: { name: 'f' } } },
    ],
    ['"responseFormat.type" is missing.', withFormat({})],
    ['"responseFormat.type" must be one of text, json_object, json_schema.', withFormat({ type: 'grammar' })],
    ['"responseFormat.json_schema" is missing.', withFormat({ type: 'json_schema' })],
    [
      '"responseFormat.json_schema.name" is missing.',
      withFormat({ type: 'json_schema', json_schema: { schema: {} } }),
    ],
    [
      '"responseFormat.json_schema.schema" is missing.',
      withFormat({ type: 'json_schema', json_schema: { name: 'a' } }),
    ],
    [
      '"responseFormat.json_schema.schema" must be an object.',
      withFormat({ type: 'json_schema', json_schema: { ...FORMAT, schema: true } }),
    ],
    [
      '"responseFormat.json_schema.schema" must not be nested more than 100 deep.',
      withFormat({ type: 'json_schema', json_schema: { ...FORMAT, schema: nested(101) } }),
    ],
    [
      '"responseFormat.json_schema.strict" must be true or false.',
      withFormat({ type: 'json_schema', json_schema: { ...FORMAT, strict: 1 } }),
    ],
    ['"parameters" must be an object.', withParameters(7)],
    [
      '"parameters" may have the members temperature, topP, maxTokens, stop, seed, frequencyPenalty, presencePenalty, logitBias, reasoningEffort, verbosity, parallelToolCalls only.',
      withParameters({ top_p: 1 }),
    ],
    ['"parameters.temperature" must be a number from 0 to 2.', withParameters({ temperature: 2.1 })],
    ['"parameters.topP" must be a number from 0 to 1.', withParameters({ topP: '1' })],
    ['"parameters.maxTokens" must be a whole number from 1 to 1000000.', withParameters({ maxTokens: 1.5 })],
    ['"parameters.maxTokens" must be a number from 1 to 1000000.', withParameters({ maxTokens: 0 })],
    [
      '"parameters.stop" must be a list of 0 to 4 entries.',
      withParameters({ stop: ['a', 'b', 'c', 'd', 'e'] }),
    ],
    ['"parameters.stop[1]" must be a text of 1 to 200 characters.', withParameters({ stop: ['a', ''] })],
  ])('%s', (text, body) => {
    expect(rejected(body)).toBe(`invalid_input: ${text}`);
  });

  it('refuses nesting that would exhaust the stack, wherever it stands', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const body of [
      `{"messages":[{"role":"user","content":${deep}}]}`,
      `{"input":"x","tools":${deep}}`,
      `{"input":"x","tools":[{"type":"function","function":{"name":"f","parameters":{"a":${deep}}}}]}`,
      `{"input":"x","responseFormat":{"type":"json_schema","json_schema":{"name":"f","schema":{"a":${deep}}}}}`,
    ]) {
      expect(() => parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 1_000_000)).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    }
  });

  it('refuses more text than the neuron takes, wherever it stands', () => {
    const long = 'x'.repeat(60);
    for (const body of [
      { messages: [{ role: 'system', content: long }, ...HELLO] },
      { messages: [...HELLO, { role: 'assistant', content: long }, ...HELLO] },
      { messages: call('1', { name: 'f', arguments: JSON.stringify({ long }) }) },
      { messages: HELLO, tools: [{ type: 'function', function: { name: 'f', description: long } }] },
      {
        messages: HELLO,
        responseFormat: { type: 'json_schema', json_schema: { ...FORMAT, description: long } },
      },
    ]) {
      expect(rejected(body, 64)).toBe(TOO_LARGE);
    }
  });
});

describe('half of a surrogate pair, which has no bytes in UTF-8, is refused with its path', () => {
  it.each<[string, object]>([
    ['tools[0].function.parameters', { properties: { ['\ud83d']: {} } }],
    ['tools[0].function.parameters', { properties: { a: { enum: ['b', '\udc00'] } } }],
  ])('%s: %j', (path, parameters) => {
    const tools = [{ type: 'function', function: { name: 'look_up', parameters } }];
    expect(rejected({ messages: HELLO, tools })).toBe(
      `invalid_input: "${path}" must be well-formed Unicode.`,
    );
  });

  it('in arguments too', () => {
    const called = { name: 'look_up', arguments: '{"a":["\\ud83d"]}' };
    const messages = [
      ...HELLO,
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: called }] },
      { role: 'tool', tool_call_id: 'a', content: '' },
    ];
    expect(rejected({ messages })).toBe(
      'invalid_input: "messages[1].tool_calls[0].function.arguments" must be well-formed Unicode.',
    );
  });
});

describe('a conversation beyond maxInputBytes', () => {
  it('is not called "input" where the caller sent none', () => {
    expect(rejected({ messages: HELLO }, 4)).toBe(TOO_LARGE);
    expect(rejected({ input: 'Hello', tools: [TOOL] }, 8)).toBe(TOO_LARGE);
    expect(rejected({ input: 'Hello' }, 4)).toBe('input_too_large: ');
  });
});
