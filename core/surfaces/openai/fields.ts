// Every field of a chat completion request (OpenAI's published schema, CreateChatCompletionRequest), and what becomes of it here.

/**
 * `honoured`: it reaches the model, or decides on the form of the answer. `refused`: 400 with its name, unless its value changes
 * nothing. `ignored`: without any effect; none of them names a caller to limits or logs.
 */
export type FieldTreatment = 'honoured' | 'refused' | 'ignored';

/** By name, as a caller sends it. A field that is not here is refused. */
export const OPENAI_FIELDS: Readonly<Record<string, FieldTreatment>> = {
  messages: 'honoured',
  model: 'honoured',
  max_completion_tokens: 'honoured',
  max_tokens: 'honoured',
  response_format: 'honoured',
  seed: 'honoured',
  stop: 'honoured',
  stream: 'honoured',
  stream_options: 'honoured',
  temperature: 'honoured',
  tool_choice: 'honoured',
  tools: 'honoured',
  top_p: 'honoured',

  audio: 'refused',
  frequency_penalty: 'refused',
  function_call: 'refused',
  functions: 'refused',
  logit_bias: 'refused',
  logprobs: 'refused',
  modalities: 'refused',
  moderation: 'refused',
  n: 'refused',
  parallel_tool_calls: 'refused',
  prediction: 'refused',
  presence_penalty: 'refused',
  reasoning_effort: 'refused',
  top_logprobs: 'refused',
  verbosity: 'refused',
  web_search_options: 'refused',

  metadata: 'ignored',
  prompt_cache_key: 'ignored',
  prompt_cache_options: 'ignored',
  prompt_cache_retention: 'ignored',
  safety_identifier: 'ignored',
  service_tier: 'ignored',
  store: 'ignored',
  user: 'ignored',
};

/** Values of refused fields that change nothing; clients send some of them by default. */
export const HARMLESS_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  frequency_penalty: [0],
  logprobs: [false],
  modalities: [['text']],
  n: [1],
  parallel_tool_calls: [true],
  presence_penalty: [0],
  top_logprobs: [0],
  verbosity: ['medium'],
};

/** The values of `service_tier` that are ignored: any other changes speed or cost, and is refused. */
export const SERVICE_TIERS: readonly unknown[] = ['auto', 'default'];
