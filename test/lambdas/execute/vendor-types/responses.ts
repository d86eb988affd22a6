// Responses, by the types of OpenAI's client for Node.
import type {
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseFormatTextConfig,
  ResponseFormatTextJSONSchemaConfig,
  ResponseFunctionToolCall,
  ResponseInputContent,
  ResponseInputFile,
  ResponseInputImage,
  ResponseInputItem,
  ResponseInputText,
  ResponseOutputText,
  ResponseReasoningItem,
  ResponseTextConfig,
  Tool,
} from 'openai/resources/responses/responses';
import type { Reasoning } from 'openai/resources/shared';
import type { Group, Members, Types } from './cases.ts';

const parameters = { type: 'object', properties: { a: { type: 'string' } } };
const TOOL = { type: 'function', name: 'look', parameters, strict: false } as const;
const ASK = { role: 'user', content: 'Hi' } as const;
const CALL = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' } as const;
const RESULT = { type: 'function_call_output', call_id: 'c1', output: 'A cat' } as const;
const IMAGE = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;
const PDF = `data:application/pdf;base64,${Buffer.from('%PDF-1.7').toString('base64')}`;
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
const base = { input: [ASK], tools: [TOOL] };

const body: Members<Omit<ResponseCreateParamsNonStreaming, 'model' | 'stream'>> = {
  access_programs: [['a'] as never, 'refused'],
  background: [true, 'refused'],
  context_management: [[{ type: 'compaction' }], 'refused'],
  conversation: ['c', 'refused'],
  image: [{} as never, 'refused'],
  include: [['reasoning.encrypted_content'], 'read'],
  input: ['Hello', 'sent'],
  instructions: ['Be brief.', 'sent'],
  max_output_tokens: [100, 'sent'],
  max_tool_calls: [3, 'refused'],
  metadata: [{ a: 'b' }, 'left out'],
  moderation: [{} as never, 'refused'],
  parallel_tool_calls: [false, ['sent', 'sent', 'read']],
  previous_response_id: ['resp_1', 'refused'],
  prompt: [{ id: 'p' }, 'refused'],
  prompt_cache_key: ['k', ['sent', 'left out', 'left out']],
  prompt_cache_options: [{} as never, 'left out'],
  prompt_cache_retention: ['24h', 'left out'],
  reasoning: [{ effort: 'low' }, 'sent'],
  safety_identifier: ['s', 'left out'],
  service_tier: ['flex', 'refused'],
  store: [true, 'left out'],
  stream_options: [{ include_obfuscation: false }, 'read'],
  temperature: [0.5, 'sent'],
  text: [{ verbosity: 'low' }, ['sent', 'left out', 'left out']],
  tool_choice: ['required', 'sent'],
  tools: [[{ ...TOOL, name: 'other' }], 'sent'],
  top_logprobs: [2, 'refused'],
  top_p: [0.5, 'sent'],
  truncation: ['auto', 'refused'],
  user: ['u', 'left out'],
};

const reasoning: Members<Reasoning> = {
  context: ['auto', 'left out'],
  effort: ['low', 'sent'],
  generate_summary: ['auto', 'read'],
  mode: ['standard', 'left out'],
  summary: ['auto', 'read'],
};

const text: Members<ResponseTextConfig> = {
  format: [{ type: 'json_schema', name: 'form', schema }, 'sent'],
  verbosity: ['low', ['sent', 'left out', 'left out']],
};

const formats: Types<ResponseFormatTextConfig> = {
  text: [{}, 'read'],
  json_schema: [{ name: 'form', schema }, 'sent'],
  json_object: [{}, 'sent'],
};

const format: Members<ResponseFormatTextJSONSchemaConfig> = {
  type: ['json_schema', 'read'],
  name: ['other', ['sent', 'passed over', 'sent']],
  schema: [{ ...schema, title: 'T' }, 'sent'],
  description: ['A form.', 'sent'],
  strict: [true, ['sent', 'read', 'read']],
};

const items: Types<ResponseInputItem> = {
  message: [{ role: 'user', content: 'Hello' }, 'sent'],
  function_call: [{ call_id: 'c2', name: 'look', arguments: '{}' }, 'refused'],
  function_call_output: [{ call_id: 'c2', output: 'x' }, 'refused'],
  reasoning: [{ id: 'rs_1', summary: [], encrypted_content: 'x' }, 'left out'],
  additional_tools: [{ role: 'developer', tools: [{ ...TOOL, name: 'other' }] }, 'sent'],
  file_search_call: [{ id: 'f', queries: [], status: 'completed' }, 'refused'],
  computer_call: [{ id: 'f', call_id: 'c', pending_safety_checks: [], status: 'completed' }, 'refused'],
  computer_call_output: [{ call_id: 'c', output: { type: 'computer_screenshot' } }, 'refused'],
  web_search_call: [{ id: 'f', status: 'completed', action: {} }, 'refused'],
  tool_search_call: [{ arguments: {} }, 'refused'],
  tool_search_output: [{ tools: [] }, 'refused'],
  configuration_update: [{}, 'refused'],
  compaction: [{ encrypted_content: 'x' }, 'refused'],
  image_generation_call: [{ id: 'i', result: null, status: 'completed' }, 'refused'],
  code_interpreter_call: [{ id: 'i', code: 'x', container_id: 'c', outputs: [] }, 'refused'],
  local_shell_call: [{ id: 'i', call_id: 'c', action: {}, status: 'completed' }, 'refused'],
  local_shell_call_output: [{ id: 'i', output: 'x' }, 'refused'],
  shell_call: [{ call_id: 'c', action: { commands: [] } }, 'refused'],
  shell_call_output: [{ call_id: 'c', output: [] }, 'refused'],
  apply_patch_call: [{ call_id: 'c', operation: {}, status: 'completed' }, 'refused'],
  apply_patch_call_output: [{ call_id: 'c', status: 'completed' }, 'refused'],
  mcp_list_tools: [{ id: 'm', server_label: 's', tools: [] }, 'refused'],
  mcp_approval_request: [{ id: 'm', arguments: '{}', name: 'n', server_label: 's' }, 'refused'],
  mcp_approval_response: [{ approval_request_id: 'm', approve: true }, 'refused'],
  mcp_call: [{ id: 'm', arguments: '{}', name: 'n', server_label: 's' }, 'refused'],
  custom_tool_call: [{ call_id: 'c', input: 'x', name: 'n' }, 'refused'],
  custom_tool_call_output: [{ call_id: 'c', output: 'x' }, 'refused'],
  compaction_trigger: [{}, 'refused'],
  item_reference: [{ id: 'msg_1' }, 'refused'],
  program: [{ id: 'p', call_id: 'c', code: 'x', fingerprint: 'f' }, 'refused'],
  program_output: [{ id: 'p', call_id: 'c', result: 'x', status: 'completed' }, 'refused'],
};

const message: Members<EasyInputMessage> = {
  type: ['message', 'read'],
  role: ['user', 'read'],
  content: ['Hello', 'sent'],
  phase: ['commentary', 'passed over'],
};

const reasoningItem: Members<ResponseReasoningItem> = {
  type: ['reasoning', 'read'],
  id: ['rs_2', 'passed over'],
  summary: [[{ type: 'summary_text', text: 'Hm.' }], 'passed over'],
  content: [[{ type: 'reasoning_text', text: 'Hm.' }], 'passed over'],
  encrypted_content: ['y', 'passed over'],
  status: ['completed', 'passed over'],
};

const call: Members<ResponseFunctionToolCall> = {
  type: ['function_call', 'read'],
  call_id: ['c1', 'read'],
  name: ['other', 'sent'],
  arguments: ['{"a":1}', 'sent'],
  id: ['fc_1', 'passed over'],
  async: [true as never, 'passed over'],
  caller: [{ type: 'direct' } as never, 'passed over'],
  namespace: ['mcp__x', 'sent'],
  status: ['completed', 'passed over'],
};

const result: Members<ResponseInputItem.FunctionCallOutput> = {
  type: ['function_call_output', 'read'],
  call_id: ['c1', 'read'],
  output: ['A dog', 'sent'],
  id: ['fc_1', 'passed over'],
  caller: [{ type: 'direct' } as never, 'passed over'],
  name: ['look' as never, 'passed over'],
  namespace: ['mcp__x' as never, 'passed over'],
  status: ['completed', 'passed over'],
};

const parts: Types<ResponseInputContent | ResponseOutputText> = {
  input_text: [{ text: 'Look' }, 'sent'],
  input_image: [{ image_url: IMAGE, detail: 'auto' }, 'sent'],
  input_file: [{ file_data: PDF, filename: 'a.pdf' }, 'sent'],
  output_text: [{ text: 'Look' }, 'sent'],
};

const textPart: Members<ResponseInputText> = {
  type: ['input_text', 'read'],
  text: ['Look', 'sent'],
  prompt_cache_breakpoint: [{ mode: 'explicit' } as never, 'passed over'],
};

const outputText: Members<ResponseOutputText> = {
  type: ['output_text', 'read'],
  text: ['Look', 'sent'],
  annotations: [[], 'passed over'],
  logprobs: [[], 'passed over'],
};

const image: Members<ResponseInputImage> = {
  type: ['input_image', 'read'],
  detail: ['high', ['sent', 'left out', 'left out']],
  file_id: ['file-1', 'refused'],
  image_url: ['https://example.com/a.png', ['sent', 'sent', 'refused']],
  prompt_cache_breakpoint: [{ mode: 'explicit' } as never, 'passed over'],
};

const file: Members<ResponseInputFile> = {
  type: ['input_file', 'read'],
  detail: ['high', 'passed over'],
  file_data: [`data:application/pdf;base64,${Buffer.from('%PDF-1.4').toString('base64')}`, 'sent'],
  file_id: ['file-1', 'refused'],
  file_url: ['https://example.com/a.pdf', 'refused'],
  filename: ['b.pdf', ['sent', 'sent', 'passed over']],
  prompt_cache_breakpoint: [{ mode: 'explicit' } as never, 'passed over'],
};

const tools: Types<Tool> = {
  function: [{ name: 'other', parameters, strict: false }, 'sent'],
  namespace: [{ name: 'mcp__x', description: 'X', tools: [TOOL] }, 'sent'],
  custom: [{ name: 'other' }, 'refused'],
  file_search: [{ vector_store_ids: [] }, 'left out'],
  computer: [{}, 'left out'],
  computer_use_preview: [{}, 'left out'],
  web_search: [{}, 'left out'],
  web_search_2025_08_26: [{}, 'left out'],
  web_search_preview: [{}, 'left out'],
  web_search_preview_2025_03_11: [{}, 'left out'],
  mcp: [{ server_label: 's' }, 'left out'],
  code_interpreter: [{ container: 'c' }, 'left out'],
  programmatic_tool_calling: [{}, 'left out'],
  image_generation: [{}, 'left out'],
  local_shell: [{}, 'left out'],
  shell: [{}, 'left out'],
  tool_search: [{}, 'left out'],
  apply_patch: [{}, 'left out'],
};

const tool: Members<FunctionTool> = {
  type: ['function', 'read'],
  name: ['other', 'sent'],
  parameters: [{ type: 'object' }, 'sent'],
  strict: [true, 'sent'],
  allowed_callers: [['direct'], 'passed over'],
  async: [true as never, 'passed over'],
  defer_loading: [true, 'passed over'],
  description: ['Looks.', 'sent'],
  output_schema: [{}, 'passed over'],
};

const CALLED = [ASK, CALL, RESULT] as const;
const inItem = (index: number) => (name: string, value: unknown) => ({
  ...base,
  input: CALLED.map((one, at) => (at === index ? { ...one, [name]: value } : one)),
});
const inParts = (...content: readonly object[]) => ({ ...base, input: [{ role: 'user', content }] });
const inText = (one: object) => ({ ...base, text: { format: one } });
const typed = (type: string, value: unknown) => ({ type, ...(value as object) });
const HI = { type: 'input_text', text: 'Hi' };
const PICTURE = { type: 'input_image', image_url: IMAGE };
const PAPER = { type: 'input_file', file_data: PDF, filename: 'a.pdf' };
const SEALED = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
const FORM = { type: 'json_schema', name: 'form', schema };

export const RESPONSES: readonly Group[] = [
  { name: 'a request', members: body, base, place: (name, value) => ({ ...base, [name]: value }) },
  {
    ...{ name: 'reasoning', members: reasoning, base: { ...base, reasoning: {} } },
    place: (name, value) => ({ ...base, reasoning: { [name]: value } }),
  },
  {
    ...{ name: 'text', members: text, base: { ...base, text: {} } },
    place: (name, value) => ({ ...base, text: { [name]: value } }),
  },
  { name: 'a format by type', members: formats, base, place: (type, value) => inText(typed(type, value)) },
  {
    ...{ name: 'a schema', members: format, base: inText(FORM) },
    place: (name, value) => inText({ ...FORM, [name]: value }),
  },
  {
    ...{ name: 'an item by type', members: items, base: { ...base, input: [ASK, ASK] } },
    place: (type, value) => ({ ...base, input: [ASK, typed(type, value), ASK] }),
  },
  { name: 'a message', members: message, base: { ...base, input: CALLED }, place: inItem(0) },
  {
    ...{ name: 'reasoning of a turn', members: reasoningItem, base: { ...base, input: [ASK, SEALED, ASK] } },
    place: (name, value) => ({ ...base, input: [ASK, { ...SEALED, [name]: value }, ASK] }),
  },
  { name: 'a call', members: call, base: { ...base, input: CALLED }, place: inItem(1) },
  { name: 'a result', members: result, base: { ...base, input: CALLED }, place: inItem(2) },
  {
    ...{ name: 'a part by type', members: parts, base: inParts(HI) },
    place: (type, value) => inParts(HI, typed(type, value)),
  },
  ...(
    [
      ['a part of text', textPart, HI],
      ['a text of an answer', outputText, { type: 'output_text', text: 'Hi' }],
      ['an image', image, PICTURE],
      ['a file', file, PAPER],
    ] as const
  ).map(([name, members, part]) => ({
    ...{ name, members, base: inParts(part) },
    place: (member: string, value: unknown) => inParts({ ...part, [member]: value }),
  })),
  {
    ...{ name: 'a tool by type', members: tools, base },
    place: (type, value) => ({ ...base, tools: [TOOL, typed(type, value)] }),
  },
  {
    ...{ name: 'a function', members: tool, base },
    place: (name, value) => ({ ...base, tools: [{ ...TOOL, [name]: value }] }),
  },
];
