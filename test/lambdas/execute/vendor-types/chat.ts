// Chat Completions, by the types of OpenAI's client for Node.

import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionDeveloperMessageParam,
  ChatCompletionFunctionTool,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
  ChatCompletionStreamOptions,
  ChatCompletionTool,
  ChatCompletionToolChoiceOption,
  ChatCompletionToolMessageParam,
  ChatCompletionUserMessageParam,
} from 'openai/resources/chat/completions';
import type { FunctionDefinition, ResponseFormatJSONSchema } from 'openai/resources/shared';
import type { Case, Group, Members, Types } from './cases.ts';

const parameters = { type: 'object', properties: { a: { type: 'string' } } };
const TOOL = { type: 'function', function: { name: 'look', parameters } } as const;
const ASK = { role: 'user', content: 'Hi' } as const;
const CALL = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
const CALLED = { role: 'assistant', content: 'I look.', tool_calls: [CALL] } as const;
const RESULT = { role: 'tool', tool_call_id: 'c1', content: 'A cat' } as const;
const IMAGE = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;
const PDF = `data:application/pdf;base64,${Buffer.from('%PDF-1.7').toString('base64')}`;
const base = { messages: [ASK], tools: [TOOL] };
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };

const TO_OPENAI = ['sent', 'left out', 'left out'] as const;

const body: Members<Omit<ChatCompletionCreateParamsNonStreaming, 'model' | 'stream'>> = {
  messages: [[{ role: 'user', content: 'Hello' }], 'sent'],
  audio: [{ format: 'mp3', voice: 'alloy' }, 'refused'],
  frequency_penalty: [0.5, TO_OPENAI],
  function_call: ['auto', 'refused'],
  functions: [[{ name: 'look' }], 'refused'],
  logit_bias: [{ '1': 2 }, ['sent', 'refused', 'refused']],
  logprobs: [true, 'refused'],
  max_completion_tokens: [100, 'sent'],
  max_tokens: [100, 'sent'],
  metadata: [{ a: 'b' }, 'left out'],
  modalities: [['audio'], 'refused'],
  moderation: [{ model: 'm' } as never, 'refused'],
  n: [2, 'refused'],
  // Bedrock has no switch: the first call alone is passed on.
  parallel_tool_calls: [false, ['sent', 'sent', 'read']],
  prediction: [{ type: 'content', content: 'x' }, 'refused'],
  presence_penalty: [0.5, TO_OPENAI],
  prompt_cache_key: ['k', TO_OPENAI],
  prompt_cache_options: [{} as never, 'left out'],
  prompt_cache_retention: ['24h', 'left out'],
  reasoning_effort: ['low', 'sent'],
  response_format: [{ type: 'json_object' }, 'sent'],
  safety_identifier: ['s', 'left out'],
  seed: [5, TO_OPENAI],
  service_tier: ['flex', 'refused'],
  stop: [['x'], 'sent'],
  store: [true, 'left out'],
  stream_options: [{ include_usage: true }, 'refused'],
  temperature: [0.5, 'sent'],
  tool_choice: ['required', 'sent'],
  tools: [[{ type: 'function', function: { name: 'other' } }], 'sent'],
  top_logprobs: [2, 'refused'],
  top_p: [0.5, 'sent'],
  user: ['u', 'left out'],
  verbosity: ['low', TO_OPENAI],
  web_search_options: [{}, 'refused'],
};

const streamOptions: Members<ChatCompletionStreamOptions> = {
  include_obfuscation: [false, 'read'],
  include_usage: [true, 'read'],
};

const roles: { readonly [Role in ChatCompletionMessageParam['role']]: Case } = {
  developer: [[{ role: 'developer', content: 'Rules' }, ASK], 'sent'],
  system: [[{ role: 'system', content: 'Rules' }, ASK], 'sent'],
  user: [[{ role: 'user', content: 'Hello' }], 'sent'],
  assistant: [[ASK, { role: 'assistant', content: 'Yes?' }, ASK], 'sent'],
  tool: [[ASK, CALLED, RESULT], 'sent'],
  function: [[ASK, { role: 'function', name: 'look', content: 'x' }], 'refused'],
};

const developer: Members<ChatCompletionDeveloperMessageParam> = {
  role: ['developer', 'read'],
  content: ['Other rules', 'sent'],
  name: ['n', 'passed over'],
};

const user: Members<ChatCompletionUserMessageParam> = {
  role: ['user', 'read'],
  content: ['Hello', 'sent'],
  name: ['n', 'passed over'],
};

const assistant: Members<ChatCompletionAssistantMessageParam> = {
  role: ['assistant', 'read'],
  audio: [{ id: 'a' }, 'refused'],
  content: ['Other', 'sent'],
  function_call: [{ name: 'look', arguments: '{}' }, 'refused'],
  name: ['n', 'passed over'],
  refusal: ['No.', 'passed over'],
  tool_calls: [[{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":"b"}' } }], 'sent'],
};

const tool: Members<ChatCompletionToolMessageParam> = {
  role: ['tool', 'read'],
  content: ['A dog', 'sent'],
  tool_call_id: ['c1', 'read'],
};

const calls: Types<ChatCompletionMessageToolCall> = {
  function: [{ function: { name: 'look', arguments: '{"a":1}' } }, 'sent'],
  custom: [{ custom: { name: 'look', input: 'x' } }, 'refused'],
};

const call: Members<ChatCompletionMessageFunctionToolCall> = {
  id: ['c1', 'read'],
  type: ['function', 'read'],
  function: [{ name: 'look', arguments: '{"a":1}' }, 'sent'],
};

const parts: Types<ChatCompletionContentPart> = {
  text: [{ text: 'Look' }, 'sent'],
  image_url: [{ image_url: { url: IMAGE } }, 'sent'],
  input_audio: [{ input_audio: { data: 'x', format: 'mp3' } }, 'refused'],
  file: [{ file: { file_data: PDF, filename: 'a.pdf' } }, 'sent'],
};

const text: Members<ChatCompletionContentPartText> = {
  text: ['Look', 'sent'],
  type: ['text', 'read'],
  prompt_cache_breakpoint: [{ mode: 'explicit' } as never, 'passed over'],
};

const imageUrl: Members<ChatCompletionContentPartImage['image_url']> = {
  url: ['https://example.com/a.png', ['sent', 'sent', 'refused']],
  detail: ['high', ['sent', 'left out', 'left out']],
};

const file: Members<ChatCompletionContentPart.File.File> = {
  file_data: [`data:application/pdf;base64,${Buffer.from('%PDF-1.4').toString('base64')}`, 'sent'],
  file_id: ['file-1', 'refused'],
  filename: ['b.pdf', ['sent', 'sent', 'passed over']],
};

const tools: Types<ChatCompletionTool> = {
  function: [{ function: { name: 'other' } }, 'sent'],
  custom: [{ custom: { name: 'other' } }, 'refused'],
};

const functionTool: Members<ChatCompletionFunctionTool> = {
  type: ['function', 'read'],
  function: [{ name: 'other' }, 'sent'],
};

const definition: Members<FunctionDefinition> = {
  name: ['other', 'sent'],
  description: ['Looks.', 'sent'],
  parameters: [{ type: 'object' }, 'sent'],
  strict: [true, 'sent'],
};

const jsonSchema: Members<ResponseFormatJSONSchema.JSONSchema> = {
  name: ['other', ['sent', 'passed over', 'sent']],
  description: ['A form.', 'sent'],
  schema: [{ ...schema, title: 'T' }, 'sent'],
  // The others are always strict, and every answer is checked.
  strict: [true, ['sent', 'read', 'read']],
};

type Choice = Exclude<ChatCompletionToolChoiceOption, string>;
const choices: Types<Choice> = {
  function: [{ function: { name: 'look' } }, 'sent'],
  allowed_tools: [{ allowed_tools: { mode: 'auto', tools: [TOOL] } }, 'refused'],
  custom: [{ custom: { name: 'look' } }, 'refused'],
};

const inMessage = (index: number, list: readonly object[]) => (name: string, value: unknown) => ({
  ...base,
  messages: list.map((one, at) => (at === index ? { ...one, [name]: value } : one)),
});
const inParts = (list: readonly object[]) => ({ ...base, messages: [{ role: 'user', content: list }] });
const typed = (type: string, value: unknown) => ({ type, ...(value as object) });
const inTool = (one: object) => ({ ...base, tools: [one] });
const inSchema = (one: object) => ({ ...base, response_format: { type: 'json_schema', json_schema: one } });

export const CHAT: readonly Group[] = [
  { name: 'a request', members: body, base, place: (name, value) => ({ ...base, [name]: value }) },
  {
    ...{ name: 'stream_options', members: streamOptions, base: { ...base, stream: true } },
    place: (name, value) => ({ ...base, stream: true, stream_options: { [name]: value } }),
  },
  {
    ...{ name: 'messages by role', members: roles, base: { ...base, messages: [ASK, ASK] } },
    place: (_role, messages) => ({ ...base, messages }),
  },
  ...(
    [
      ['a developer’s message', developer, 0, [{ role: 'developer', content: 'Rules' }, ASK]],
      ['a user’s message', user, 0, [ASK]],
      ['an assistant’s message', assistant, 1, [ASK, CALLED, RESULT]],
      ['a tool’s message', tool, 2, [ASK, CALLED, RESULT]],
    ] as const
  ).map(([name, members, index, messages]) => {
    return { name, members, base: { ...base, messages }, place: inMessage(index, messages) };
  }),
  {
    ...{ name: 'a call by type', members: calls, base: { ...base, messages: [ASK, CALLED, RESULT] } },
    place: (type, value) => ({
      ...base,
      messages: [ASK, { ...CALLED, tool_calls: [{ id: 'c1', ...typed(type, value) }] }, RESULT],
    }),
  },
  {
    ...{ name: 'a call', members: call, base: { ...base, messages: [ASK, CALLED, RESULT] } },
    place: (name, value) => ({
      ...base,
      messages: [ASK, { ...CALLED, tool_calls: [{ ...CALL, [name]: value }] }, RESULT],
    }),
  },
  {
    ...{ name: 'a part by type', members: parts, base: inParts([{ type: 'text', text: 'Hi' }]) },
    place: (type, value) => inParts([{ type: 'text', text: 'Hi' }, typed(type, value)]),
  },
  {
    ...{ name: 'a part of text', members: text, base: inParts([{ type: 'text', text: 'Hi' }]) },
    place: (name, value) => inParts([{ type: 'text', text: 'Hi', [name]: value }]),
  },
  {
    name: 'an image',
    members: imageUrl,
    base: inParts([{ type: 'image_url', image_url: { url: IMAGE } }]),
    place: (name, value) => inParts([{ type: 'image_url', image_url: { url: IMAGE, [name]: value } }]),
  },
  {
    name: 'a file',
    members: file,
    base: inParts([{ type: 'file', file: { file_data: PDF, filename: 'a.pdf' } }]),
    place: (name, value) =>
      inParts([{ type: 'file', file: { file_data: PDF, filename: 'a.pdf', [name]: value } }]),
  },
  { name: 'a tool by type', members: tools, base, place: (type, value) => inTool(typed(type, value)) },
  { name: 'a tool', members: functionTool, base, place: (name, value) => inTool({ ...TOOL, [name]: value }) },
  {
    ...{ name: 'a function', members: definition, base },
    place: (name, value) => inTool({ ...TOOL, function: { ...TOOL.function, [name]: value } }),
  },
  {
    ...{ name: 'a schema', members: jsonSchema, base: inSchema({ name: 'form', schema }) },
    place: (name, value) => inSchema({ name: 'form', schema, [name]: value }),
  },
  {
    ...{ name: 'a choice by type', members: choices, base },
    place: (type, value) => ({ ...base, tool_choice: typed(type, value) }),
  },
];
