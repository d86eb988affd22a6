// Every field of a message request (@anthropic-ai/sdk 1.12.0 and 0.120.0, MessageCreateParams), and what becomes of it here.

import type { FieldTable } from '../parse.ts';

/** By name, as a caller sends it. */
const fields: FieldTable['fields'] = {
  max_tokens: 'honoured',
  messages: 'honoured',
  model: 'honoured',
  output_config: 'honoured',
  stop_sequences: 'honoured',
  stream: 'honoured',
  system: 'honoured',
  temperature: 'honoured',
  thinking: 'honoured',
  tool_choice: 'honoured',
  tools: 'honoured',
  top_p: 'honoured',

  container: 'refused',
  fallbacks: 'refused',
  mcp_servers: 'refused',
  service_tier: 'refused',
  speed: 'refused',
  thread: 'refused',
  top_k: 'refused',

  cache_control: 'leftOut',
  context_management: 'leftOut',
  diagnostics: 'leftOut',
  inference_geo: 'leftOut',
  metadata: 'leftOut',
  user_profile_id: 'leftOut',
  workspace_id: 'leftOut',
};

const harmless: FieldTable['harmless'] = {
  fallbacks: [[]],
  mcp_servers: [[]],
  service_tier: ['auto', 'standard_only'],
  speed: ['standard'],
};

export const MESSAGE_FIELDS: FieldTable = { fields, harmless };
