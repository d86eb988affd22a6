// Every field of a chat completion request (OpenAI's published schema, CreateChatCompletionRequest), and what becomes of it here.

import type { FieldTreatment } from '../parse.ts';

/** By name, as a caller sends it. A field that is not here is left out by its name. None of those left out names a caller to limits or logs. */
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

  metadata: 'leftOut',
  prompt_cache_options: 'leftOut',
  prompt_cache_retention: 'leftOut',
  safety_identifier: 'leftOut',
  service_tier: 'leftOut',
  store: 'leftOut',
  user: 'leftOut',
};

/** Values of refused fields that change nothing; clients send some of them by default. */
export const HARMLESS_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  logprobs: [false],
  modalities: [['text']],
  n: [1],
  top_logprobs: [0],
};

/** The values of `service_tier` that are left out, since they ask for what every call gets. The others choose another speed and price, and are refused. */
export const SERVICE_TIERS: readonly unknown[] = ['auto', 'default'];
