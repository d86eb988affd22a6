// Messages, by the types of Anthropic's client for Node.
import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  OutputConfig,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  ThinkingConfigEnabled,
  ThinkingConfigParam,
  Tool,
  ToolChoice,
  ToolChoiceTool,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { Case, Group, Members, Types } from './cases.ts';
import { VENDOR_TOOLS } from './vendor-tools.ts';

const input_schema = { type: 'object', properties: { a: { type: 'string' } } } as const;
const TOOL = { name: 'look', input_schema };
const ASK = { role: 'user', content: 'Hi' } as const;
const CALL = { type: 'tool_use', id: 'c1', name: 'look', input: {} };
const RESULT = { type: 'tool_result', tool_use_id: 'c1', content: 'A cat' };
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
const PDF = Buffer.from('%PDF-1.7').toString('base64');
const PAPER = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } };
const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
const base = { max_tokens: 4_000, messages: [ASK], tools: [TOOL] };
const hint = { type: 'ephemeral' } as const;
const HINTED = ['left out', 'sent', 'sent'] as const;

const body: Members<Omit<MessageCreateParamsNonStreaming, 'model' | 'stream'>> = {
  max_tokens: [100, 'sent'],
  messages: [[{ role: 'user', content: 'Hello' }], 'sent'],
  cache_control: [hint, 'left out'],
  container: ['c', 'refused'],
  diagnostics: [{} as never, 'left out'],
  inference_geo: ['us', 'left out'],
  metadata: [{ user_id: 'u' }, 'left out'],
  output_config: [{ effort: 'low' }, 'sent'],
  service_tier: ['priority' as never, 'refused'],
  speed: ['fast', 'refused'],
  stop_sequences: [['x'], 'sent'],
  system: ['Be brief.', 'sent'],
  thinking: [{ type: 'enabled', budget_tokens: 2_000 }, ['left out', 'sent', 'sent']],
  tool_choice: [{ type: 'any' }, 'sent'],
  tools: [[{ name: 'other', input_schema }], 'sent'],
  user_profile_id: ['u', 'left out'],
  workspace_id: ['w', 'left out'],
};

/** Members that the client had before 1.0, and that older programs send. */
const older: Readonly<Record<string, Case>> = {
  temperature: [0.5, 'sent'],
  top_k: [5, 'refused'],
  top_p: [0.5, 'sent'],
  context_management: [{ edits: [] }, 'left out'],
  mcp_servers: [[{ type: 'url', url: 'https://example.com', name: 'n' }], 'refused'],
};

const config: Members<OutputConfig> = {
  effort: ['low', 'sent'],
  format: [{ type: 'json_schema', schema }, 'sent'],
};

const message: Members<MessageParam> = {
  role: ['user', 'read'],
  content: ['Hello', 'sent'],
};

const blocks: Types<ContentBlockParam> = {
  text: [{ text: 'Look' }, 'sent'],
  image: [IMAGE, 'sent'],
  document: [PAPER, 'sent'],
  search_result: [{ content: [], source: 's', title: 't' }, 'refused'],
  // Those of a user; a turn of the assistant's may have them.
  thinking: [{ thinking: 'Hm.', signature: 'x' }, 'refused'],
  redacted_thinking: [{ data: 'x' }, 'refused'],
  tool_use: [{ id: 'c2', name: 'look', input: {} }, 'refused'],
  tool_result: [{ tool_use_id: 'c2', content: 'x' }, 'refused'],
  server_tool_use: [{ id: 's', name: 'web_search', input: {} }, 'refused'],
  web_search_tool_result: [{ tool_use_id: 's', content: [] }, 'refused'],
  web_fetch_tool_result: [{ tool_use_id: 's', content: {} }, 'refused'],
  code_execution_tool_result: [{ tool_use_id: 's', content: {} }, 'refused'],
  bash_code_execution_tool_result: [{ tool_use_id: 's', content: {} }, 'refused'],
  text_editor_code_execution_tool_result: [{ tool_use_id: 's', content: {} }, 'refused'],
  tool_search_tool_result: [{ tool_use_id: 's', content: {} }, 'refused'],
  container_upload: [{ file_id: 'f' }, 'refused'],
};

const text: Members<TextBlockParam> = {
  type: ['text', 'read'],
  text: ['Look', 'sent'],
  cache_control: [hint, HINTED],
  citations: [[], 'passed over'],
};

const image: Members<ImageBlockParam> = {
  type: ['image', 'read'],
  source: [{ type: 'url', url: 'https://example.com/a.png' }, ['sent', 'sent', 'refused']],
  cache_control: [hint, HINTED],
  transformations: [{} as never, 'passed over'],
};

const sources: Types<ImageBlockParam['source']> = {
  base64: [{ media_type: 'image/png', data: PNG }, 'sent'],
  url: [{ url: 'https://example.com/a.png' }, ['sent', 'sent', 'refused']],
  file: [{ file_id: 'f' }, 'refused'],
};

const paper: Members<DocumentBlockParam> = {
  type: ['document', 'read'],
  source: [{ type: 'base64', media_type: 'application/pdf', data: `${PDF.slice(0, -4)}AAAA` }, 'sent'],
  cache_control: [hint, HINTED],
  citations: [{ enabled: true }, 'refused'],
  context: ['About it.', 'refused'],
  title: ['b.pdf', ['sent', 'sent', 'passed over']],
};

const papers: Types<DocumentBlockParam['source']> = {
  base64: [{ media_type: 'application/pdf', data: PDF }, 'sent'],
  text: [{ media_type: 'text/plain', data: 'Hello' }, 'refused'],
  content: [{ content: 'Hello' }, 'refused'],
  url: [{ url: 'https://example.com/a.pdf' }, 'refused'],
  file: [{ file_id: 'f' }, 'refused'],
};

const call: Members<ToolUseBlockParam> = {
  type: ['tool_use', 'read'],
  id: ['c1', 'read'],
  input: [{ a: 'b' }, 'sent'],
  name: ['other', 'sent'],
  cache_control: [hint, HINTED],
  caller: [{ type: 'direct' }, 'passed over'],
  toolset_name: ['t', 'passed over'],
};

const result: Members<ToolResultBlockParam> = {
  type: ['tool_result', 'read'],
  tool_use_id: ['c1', 'read'],
  cache_control: [hint, HINTED],
  content: ['A dog', 'sent'],
  is_error: [true, 'sent'],
  toolset_name: ['t', 'passed over'],
};

const thought: Members<ThinkingBlockParam> = {
  type: ['thinking', 'read'],
  thinking: ['Other', 'passed over'],
  signature: ['y', 'passed over'],
};

const redacted: Members<RedactedThinkingBlockParam> = {
  type: ['redacted_thinking', 'read'],
  data: ['y', 'passed over'],
};

const tool: Members<Tool> = {
  type: ['custom', 'read'],
  name: ['other', 'sent'],
  input_schema: [{ type: 'object' }, 'sent'],
  allowed_callers: [['direct'], 'passed over'],
  cache_control: [hint, HINTED],
  defer_loading: [true, 'passed over'],
  description: ['Looks.', 'sent'],
  eager_input_streaming: [true, 'passed over'],
  input_examples: [[{ a: 'b' }], 'passed over'],
  strict: [true, 'sent'],
};

const choices: Types<ToolChoice> = {
  auto: [{}, 'sent'],
  any: [{}, 'sent'],
  tool: [{ name: 'look' }, 'sent'],
  none: [{}, 'sent'],
};

const choice: Members<ToolChoiceTool> = {
  type: ['tool', 'read'],
  name: ['other', 'sent'],
  disable_parallel_tool_use: [true, ['sent', 'sent', 'read']],
};

const thinking: Types<ThinkingConfigParam> = {
  enabled: [{ budget_tokens: 2_000 }, ['left out', 'sent', 'sent']],
  disabled: [{}, ['read', 'sent', 'sent']],
  between_tools: [{}, 'left out'],
  adaptive: [{}, ['left out', 'sent', 'sent']],
};

const budget: Members<ThinkingConfigEnabled> = {
  type: ['enabled', 'read'],
  budget_tokens: [3_000, ['read', 'sent', 'sent']],
  display: ['summarized', 'passed over'],
};

const typed = (type: string, value: unknown) => ({ type, ...(value as object) });
const withUser = (...content: readonly object[]) => ({ ...base, messages: [{ role: 'user', content }] });
const withTurn = (assistant: object, user: object) => ({
  ...base,
  tools: [TOOL, { ...TOOL, name: 'other' }],
  messages: [ASK, { role: 'assistant', content: [assistant] }, { role: 'user', content: [user] }],
});
const HI = { type: 'text', text: 'Hi' };
const CHOICE = { type: 'tool', name: 'look' };
const TWO_TOOLS = [TOOL, { ...TOOL, name: 'other' }];
const BUDGET = { type: 'enabled', budget_tokens: 2_000 };

export const MESSAGES: readonly Group[] = [
  { name: 'a request', members: body, base, place: (name, value) => ({ ...base, [name]: value }) },
  {
    ...{ name: 'an older request', members: older, base },
    place: (name, value) => ({ ...base, [name]: value }),
  },
  {
    ...{ name: 'output_config', members: config, base: { ...base, output_config: {} } },
    place: (name, value) => ({ ...base, output_config: { [name]: value } }),
  },
  {
    ...{ name: 'a message', members: message, base },
    place: (name, value) => ({ ...base, messages: [{ ...ASK, [name]: value }] }),
  },
  {
    ...{ name: 'a block by type', members: blocks, base: withUser(HI) },
    place: (type, value) => withUser(HI, typed(type, value)),
  },
  ...(
    [
      ['a text', text, HI],
      ['an image', image, IMAGE],
      ['a document', paper, PAPER],
    ] as const
  ).map(([name, members, block]) => ({
    ...{ name, members, base: withUser(block) },
    place: (member: string, value: unknown) => withUser({ ...block, [member]: value }),
  })),
  {
    ...{ name: 'an image by its source', members: sources, base: withUser(HI) },
    place: (type, value) => withUser(HI, { type: 'image', source: typed(type, value) }),
  },
  {
    ...{ name: 'a document by its source', members: papers, base: withUser(HI) },
    place: (type, value) => withUser(HI, { type: 'document', source: typed(type, value) }),
  },
  {
    ...{ name: 'a call', members: call, base: withTurn(CALL, RESULT) },
    place: (name, value) => withTurn({ ...CALL, [name]: value }, RESULT),
  },
  {
    ...{ name: 'a result', members: result, base: withTurn(CALL, RESULT) },
    place: (name, value) => withTurn(CALL, { ...RESULT, [name]: value }),
  },
  ...(
    [
      ['a thought', thought, { type: 'thinking', thinking: 'Hm.', signature: 'x' }],
      ['a redacted thought', redacted, { type: 'redacted_thinking', data: 'x' }],
    ] as const
  ).map(([name, members, block]) => ({
    ...{ name, members, base: withTurn(block, HI) },
    place: (member: string, value: unknown) => withTurn({ ...block, [member]: value }, HI),
  })),
  {
    ...{ name: 'a tool by type', members: VENDOR_TOOLS, base },
    place: (type, value) => ({ ...base, tools: [TOOL, typed(type, value)] }),
  },
  {
    ...{ name: 'a tool', members: tool, base },
    place: (name, value) => ({ ...base, tools: [{ ...TOOL, [name]: value }] }),
  },
  {
    ...{ name: 'a choice by type', members: choices, base },
    place: (type, value) => ({ ...base, tool_choice: typed(type, value) }),
  },
  {
    ...{ name: 'a choice', members: choice, base: { ...base, tools: TWO_TOOLS, tool_choice: CHOICE } },
    place: (name, value) => ({ ...base, tools: TWO_TOOLS, tool_choice: { ...CHOICE, [name]: value } }),
  },
  {
    ...{ name: 'thinking by type', members: thinking, base },
    place: (type, value) => ({ ...base, thinking: typed(type, value) }),
  },
  {
    ...{ name: 'thinking', members: budget, base: { ...base, thinking: BUDGET } },
    place: (name, value) => ({ ...base, thinking: { ...BUDGET, [name]: value } }),
  },
];
