// Every field of a chat completion request (OpenAI's published schema, CreateChatCompletionRequest), and what becomes of it here.

/**
 * `honoured`: it reaches the model, or decides on the form of the answer. `refused`: 400 with its name, unless its value changes
 * nothing. `omitted`: left out, and named in the answer's header and the log; none of them names a caller to limits or logs.
 */
export type FieldTreatment = 'honoured' | 'refused' | 'omitted';

/** By name, as a caller sends it. A field that is not here is left out by its name. */
export const OPENAI_FIELDS: Readonly<Record<string, FieldTreatment>> = {
  messages: 'honoured',
  model: 'honoured',
  frequency_penalty: 'honoured',
  logit_bias: 'honoured',
  max_completion_tokens: 'honoured',
  max_tokens: 'honoured',
  parallel_tool_calls: 'honoured',
  presence_penalty: 'honoured',
  prompt_cache_key: 'honoured',
  reasoning_effort: 'honoured',
  response_format: 'honoured',
  seed: 'honoured',
  stop: 'honoured',
  stream: 'honoured',
  stream_options: 'honoured',
  temperature: 'honoured',
  tool_choice: 'honoured',
  tools: 'honoured',
  top_p: 'honoured',
  verbosity: 'honoured',

  audio: 'refused',
  function_call: 'refused',
  functions: 'refused',
  logprobs: 'refused',
  modalities: 'refused',
  moderation: 'refused',
  n: 'refused',
  prediction: 'refused',
  top_logprobs: 'refused',
  web_search_options: 'refused',

  metadata: 'omitted',
  prompt_cache_options: 'omitted',
  prompt_cache_retention: 'omitted',
  safety_identifier: 'omitted',
  service_tier: 'omitted',
  store: 'omitted',
  user: 'omitted',
};

/** Values of refused fields that change nothing; clients send some of them by default. */
export const HARMLESS_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  logprobs: [false],
  modalities: [['text']],
  n: [1],
  top_logprobs: [0],
};

/** The values of `service_tier` that are left out: any other changes speed or cost, and is refused. */
export const SERVICE_TIERS: readonly unknown[] = ['auto', 'default'];
