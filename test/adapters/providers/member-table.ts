// What each provider makes of each member of a request: where it stands upstream, or that it is ignored or refused.
import type { ModelRequest } from '../../../core/ports/providers.ts';
import { IMAGES } from '../../support/any-conversation.ts';

export const HELLO: ModelRequest = {
  model: 'm',
  system: undefined,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxTokens: 900,
  signal: new AbortController().signal,
};
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
const TOOL = { name: 'look_up', parameters: SCHEMA };
const WITH_TOOL: ModelRequest = { ...HELLO, tools: [TOOL] };
const WITH_SCHEMA: ModelRequest = { ...HELLO, schema: { name: 'answer', schema: SCHEMA } };
const data = IMAGES['image/png'];
const image = (more: object = {}): Partial<ModelRequest> => ({
  messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data, ...more }] }],
});
const TOOL_TURNS: Partial<ModelRequest> = {
  messages: [
    ...HELLO.messages,
    { role: 'assistant', text: '', toolCalls: [{ id: 'c1', name: 'look_up', arguments: { a: 'x' } }] },
    { role: 'tool', toolCallId: 'c1', text: 'found' },
  ],
};

/** A path in the upstream request with the value there; for echo anything in its answer. */
type Sent = readonly [path: string, value: unknown];
export type Decision = Sent | 'ignored' | 'refused';
export type Provider = 'openai' | 'anthropic' | 'bedrock' | 'echo';

interface Member {
  /** The request without the member. */
  readonly of?: ModelRequest;
  readonly with: Partial<ModelRequest>;
  readonly at: Readonly<Record<Provider, Decision>>;
}

const ECHO = 'text';

/** By the names of the native surface, the step's own members in brackets. */
export const MEMBERS: Readonly<Record<string, Member>> = {
  'messages: system': {
    with: { system: 'Be brief.' },
    at: {
      openai: ['messages.0', { role: 'system', content: 'Be brief.' }],
      anthropic: ['system', 'Be brief.'],
      bedrock: ['system.0.text', 'Be brief.'],
      echo: [ECHO, '(Be brief.) You said: Hello'],
    },
  },
  'messages: earlier turns': {
    with: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', text: 'Yes?', toolCalls: [] },
        ...HELLO.messages,
      ],
    },
    at: {
      openai: ['messages.1', { role: 'assistant', content: 'Yes?' }],
      anthropic: ['messages.1', { role: 'assistant', content: 'Yes?' }],
      bedrock: ['messages.1', { role: 'assistant', content: [{ text: 'Yes?' }] }],
      echo: [ECHO, 'You said: Hello Before that you said: Hi'],
    },
  },
  'messages: image_url.url': {
    with: image(),
    at: {
      openai: ['messages.0.content.0.image_url.url', `data:image/png;base64,${data}`],
      anthropic: ['messages.0.content.0.source', { type: 'base64', media_type: 'image/png', data }],
      bedrock: ['messages.0.content.0.image', { format: 'png', source: { bytes: data } }],
      echo: ['usage.input', 100],
    },
  },
  'messages: image_url.detail': {
    of: { ...HELLO, ...image() },
    with: image({ detail: 'low' }),
    at: {
      openai: ['messages.0.content.0.image_url.detail', 'low'],
      anthropic: 'ignored',
      bedrock: 'ignored',
      echo: 'ignored',
    },
  },
  'messages: tool_calls and results': {
    of: WITH_TOOL,
    with: TOOL_TURNS,
    at: {
      openai: ['messages.2', { role: 'tool', tool_call_id: 'c1', content: 'found' }],
      anthropic: ['messages.2.content.0', { type: 'tool_result', tool_use_id: 'c1', content: 'found' }],
      bedrock: ['messages.2.content.0.toolResult', { toolUseId: 'c1', content: [{ text: 'found' }] }],
      echo: [ECHO, 'You said: Hello Tools said: found'],
    },
  },
  'messages: tool_calls and results, without tools': {
    with: TOOL_TURNS,
    at: {
      openai: ['messages.2', { role: 'tool', tool_call_id: 'c1', content: 'found' }],
      anthropic: ['messages.2.content.0', { type: 'tool_result', tool_use_id: 'c1', content: 'found' }],
      bedrock: 'refused',
      echo: [ECHO, 'You said: Hello Tools said: found'],
    },
  },
  tools: {
    with: { tools: [TOOL], messages: [{ role: 'user', content: [{ type: 'text', text: 'look_up' }] }] },
    at: {
      openai: ['tools.0', { type: 'function', function: TOOL }],
      anthropic: ['tools.0', { name: 'look_up', input_schema: SCHEMA }],
      bedrock: ['toolConfig.tools.0.toolSpec', { name: 'look_up', inputSchema: { json: SCHEMA } }],
      echo: ['toolCalls.0.name', 'look_up'],
    },
  },
  'tools: description': {
    of: WITH_TOOL,
    with: { tools: [{ ...TOOL, description: 'Looks up.' }] },
    at: {
      openai: ['tools.0.function.description', 'Looks up.'],
      anthropic: ['tools.0.description', 'Looks up.'],
      bedrock: ['toolConfig.tools.0.toolSpec.description', 'Looks up.'],
      echo: 'ignored',
    },
  },
  'tools: strict': {
    of: WITH_TOOL,
    with: { tools: [{ ...TOOL, strict: true }] },
    at: {
      openai: ['tools.0.function.strict', true],
      anthropic: ['tools.0.strict', true],
      bedrock: ['toolConfig.tools.0.toolSpec.strict', true],
      echo: 'ignored',
    },
  },
  'toolChoice: auto': {
    of: WITH_TOOL,
    with: { toolChoice: 'auto' },
    at: {
      openai: ['tool_choice', 'auto'],
      anthropic: ['tool_choice', { type: 'auto' }],
      bedrock: ['toolConfig.toolChoice', { auto: {} }],
      // What it does anyway.
      echo: 'ignored',
    },
  },
  'toolChoice: required': {
    of: WITH_TOOL,
    with: { toolChoice: 'required' },
    at: {
      openai: ['tool_choice', 'required'],
      anthropic: ['tool_choice', { type: 'any' }],
      bedrock: ['toolConfig.toolChoice', { any: {} }],
      echo: ['toolCalls.0.name', 'look_up'],
    },
  },
  'toolChoice: a name': {
    of: WITH_TOOL,
    with: { toolChoice: { name: 'look_up' } },
    at: {
      openai: ['tool_choice', { type: 'function', function: { name: 'look_up' } }],
      anthropic: ['tool_choice', { type: 'tool', name: 'look_up' }],
      bedrock: ['toolConfig.toolChoice', { tool: { name: 'look_up' } }],
      echo: ['toolCalls.0.name', 'look_up'],
    },
  },
  'toolChoice: none': {
    of: { ...WITH_TOOL, messages: [{ role: 'user', content: [{ type: 'text', text: 'look_up' }] }] },
    with: { toolChoice: 'none' },
    at: {
      openai: ['tool_choice', 'none'],
      anthropic: ['tool_choice', { type: 'none' }],
      bedrock: ['toolConfig', undefined],
      echo: [ECHO, 'You said: look_up'],
    },
  },
  'toolChoice: none, after results': {
    of: { ...WITH_TOOL, ...TOOL_TURNS },
    with: { toolChoice: 'none' },
    at: {
      openai: ['tool_choice', 'none'],
      anthropic: ['tool_choice', { type: 'none' }],
      bedrock: 'refused',
      // It never answers results with another call.
      echo: 'ignored',
    },
  },
  responseFormat: {
    with: { schema: { name: 'answer', schema: SCHEMA } },
    at: {
      openai: ['response_format', { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } }],
      anthropic: ['output_config.format', { type: 'json_schema', schema: SCHEMA }],
      bedrock: [
        'outputConfig.textFormat.structure.jsonSchema',
        { name: 'answer', schema: JSON.stringify(SCHEMA) },
      ],
      echo: [ECHO, '{"a":"Hello"}'],
    },
  },
  'responseFormat: name': {
    of: WITH_SCHEMA,
    with: { schema: { name: 'another', schema: SCHEMA } },
    at: {
      openai: ['response_format.json_schema.name', 'another'],
      anthropic: 'ignored',
      bedrock: ['outputConfig.textFormat.structure.jsonSchema.name', 'another'],
      echo: 'ignored',
    },
  },
  'responseFormat: description': {
    of: WITH_SCHEMA,
    with: { schema: { name: 'answer', schema: SCHEMA, description: 'An answer.' } },
    at: {
      openai: ['response_format.json_schema.description', 'An answer.'],
      anthropic: 'ignored',
      bedrock: ['outputConfig.textFormat.structure.jsonSchema.description', 'An answer.'],
      echo: 'ignored',
    },
  },
  'responseFormat: strict': {
    of: WITH_SCHEMA,
    with: { schema: { name: 'answer', schema: SCHEMA, strict: true } },
    at: {
      openai: ['response_format.json_schema.strict', true],
      // Always strict.
      anthropic: 'ignored',
      bedrock: 'ignored',
      echo: 'ignored',
    },
  },
  'parameters.temperature': {
    with: { temperature: 0.5 },
    at: {
      openai: ['temperature', 0.5],
      anthropic: ['temperature', 0.5],
      bedrock: ['inferenceConfig.temperature', 0.5],
      echo: 'ignored',
    },
  },
  'parameters.topP': {
    with: { topP: 0.5 },
    at: {
      openai: ['top_p', 0.5],
      anthropic: ['top_p', 0.5],
      bedrock: ['inferenceConfig.topP', 0.5],
      echo: 'ignored',
    },
  },
  'parameters.maxTokens': {
    with: { maxTokens: 1 },
    at: {
      openai: ['max_completion_tokens', 1],
      anthropic: ['max_tokens', 1],
      bedrock: ['inferenceConfig.maxTokens', 1],
      echo: [ECHO, 'You '],
    },
  },
  'parameters.stop': {
    with: { stopSequences: ['said'] },
    at: {
      openai: ['stop', ['said']],
      anthropic: ['stop_sequences', ['said']],
      bedrock: ['inferenceConfig.stopSequences', ['said']],
      echo: [ECHO, 'You '],
    },
  },
  'parameters.seed': {
    with: { seed: 7 },
    at: { openai: ['seed', 7], anthropic: 'ignored', bedrock: 'ignored', echo: 'ignored' },
  },
  '(reasoningEffort)': {
    with: { reasoningEffort: 'low' },
    at: {
      openai: ['reasoning_effort', 'low'],
      anthropic: ['output_config.effort', 'low'],
      bedrock: ['outputConfig.effort', 'low'],
      echo: 'ignored',
    },
  },
};
