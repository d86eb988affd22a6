// Every field of a message request (@anthropic-ai/sdk 1.12.0 and 0.120.0, MessageCreateParams), and what becomes of it here.

/**
 * `honoured`: it reaches the model, or decides on the form of the answer. `refused`: 400 with its name, unless its value changes
 * nothing. `leftOut`: without any effect, and named so.
 */
export type FieldTreatment = 'honoured' | 'refused' | 'leftOut';

/** By name, as a caller sends it. A field that is not here is left out: agents send new ones each month. */
export const MESSAGE_FIELDS: Readonly<Record<string, FieldTreatment>> = {
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

/** Values of refused fields that change nothing. */
export const HARMLESS_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  fallbacks: [[]],
  mcp_servers: [[]],
  service_tier: ['auto', 'standard_only'],
  speed: ['standard'],
};
