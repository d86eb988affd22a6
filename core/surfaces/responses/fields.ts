// Every field of a request (openai 7.57.0, ResponseCreateParams), and what becomes of it here.

import type { FieldTable } from '../parse.ts';

/** By name, as a caller sends it. */
const fields: FieldTable['fields'] = {
  include: 'honoured',
  input: 'honoured',
  instructions: 'honoured',
  max_output_tokens: 'honoured',
  model: 'honoured',
  parallel_tool_calls: 'honoured',
  prompt_cache_key: 'honoured',
  reasoning: 'honoured',
  stream: 'honoured',
  stream_options: 'honoured',
  temperature: 'honoured',
  text: 'honoured',
  tool_choice: 'honoured',
  tools: 'honoured',
  top_p: 'honoured',

  access_programs: 'refused',
  background: 'refused',
  context_management: 'refused',
  conversation: 'refused',
  image: 'refused',
  max_tool_calls: 'refused',
  moderation: 'refused',
  previous_response_id: 'refused',
  prompt: 'refused',
  service_tier: 'refused',
  top_logprobs: 'refused',
  truncation: 'refused',

  metadata: 'leftOut',
  prompt_cache_options: 'leftOut',
  prompt_cache_retention: 'leftOut',
  safety_identifier: 'leftOut',
  store: 'leftOut',
  user: 'leftOut',
};

const harmless: FieldTable['harmless'] = {
  background: [false],
  context_management: [[]],
  service_tier: ['auto', 'default'],
  top_logprobs: [0],
  truncation: ['disabled'],
};

/** For fields that need stored state, of which there is none: the member to send in their place. */
const remedies = {
  background: 'is not supported: nothing is stored. Leave it out, and stream the response',
  conversation: 'is not supported: nothing is stored. Send the whole conversation as "input"',
  previous_response_id:
    'is not supported: nothing is stored. Send the whole conversation as "input", with "store": false at the client',
  prompt: 'is not supported: prompts are neurons here. Name one as "model"',
  truncation: 'must be disabled: no turn is dropped in silence',
};

export const RESPONSE_FIELDS: FieldTable = { fields, harmless, remedies };
