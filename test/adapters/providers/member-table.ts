// Each member of a request at each provider: where it stands upstream, or that it is ignored or refused.
import {
  ECHO,
  MESSAGE_MEMBERS,
  type Member,
  SCHEMA,
  TOOL,
  TOOL_TURNS,
  WITH_SCHEMA,
  WITH_TOOL,
} from './message-table.ts';

const JSON_ONLY =
  'Answer with one JSON object and nothing else: no words around it, no Markdown and no code fence.';

/** By the names of the native surface. */
export const MEMBERS: Readonly<Record<string, Member>> = {
  ...MESSAGE_MEMBERS,
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
      anthropic: ['output_config.format.schema.description', 'An answer.'],
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
      echo: 'left out',
    },
  },
  'parameters.topP': {
    with: { topP: 0.5 },
    at: {
      openai: ['top_p', 0.5],
      anthropic: ['top_p', 0.5],
      bedrock: ['inferenceConfig.topP', 0.5],
      echo: 'left out',
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
  'parameters.parallelToolCalls': {
    of: WITH_TOOL,
    with: { parallelToolCalls: false },
    at: {
      openai: ['parallel_tool_calls', false],
      anthropic: ['tool_choice', { type: 'auto', disable_parallel_tool_use: true }],
      // The first call of the answer stands: see single-call.test.ts.
      bedrock: 'ignored',
      echo: 'ignored',
    },
  },
  'responseFormat: json_object': {
    with: { json: true },
    at: {
      openai: ['response_format', { type: 'json_object' }],
      anthropic: ['system', JSON_ONLY],
      bedrock: ['system.0.text', JSON_ONLY],
      echo: [ECHO, '{"said":"Hello"}'],
    },
  },
  'parameters.frequencyPenalty': {
    with: { frequencyPenalty: 0.5 },
    at: {
      openai: ['frequency_penalty', 0.5],
      anthropic: 'left out',
      bedrock: 'left out',
      echo: 'left out',
    },
  },
  'parameters.presencePenalty': {
    with: { presencePenalty: 0.5 },
    at: { openai: ['presence_penalty', 0.5], anthropic: 'left out', bedrock: 'left out', echo: 'left out' },
  },
  'parameters.logitBias': {
    with: { logitBias: { 7: -100 } },
    at: {
      openai: ['logit_bias', { 7: -100 }],
      anthropic: 'refused',
      bedrock: 'refused',
      echo: 'left out',
    },
  },
  'parameters.verbosity': {
    with: { verbosity: 'low' },
    at: { openai: ['verbosity', 'low'], anthropic: 'left out', bedrock: 'left out', echo: 'left out' },
  },
  promptCacheKey: {
    with: { promptCacheKey: 'k' },
    at: { openai: ['prompt_cache_key', 'k'], anthropic: 'left out', bedrock: 'left out', echo: 'left out' },
  },
  'parameters.reasoningEffort: minimal': {
    with: { reasoningEffort: 'minimal' },
    at: {
      openai: ['reasoning_effort', 'minimal'],
      anthropic: 'left out',
      bedrock: 'left out',
      echo: 'left out',
    },
  },
  'parameters.seed': {
    with: { seed: 7 },
    at: { openai: ['seed', 7], anthropic: 'left out', bedrock: 'left out', echo: 'left out' },
  },
  'parameters.reasoningEffort: low': {
    with: { reasoningEffort: 'low' },
    at: {
      openai: ['reasoning_effort', 'low'],
      anthropic: ['output_config.effort', 'low'],
      bedrock: ['outputConfig.effort', 'low'],
      echo: 'left out',
    },
  },
};
