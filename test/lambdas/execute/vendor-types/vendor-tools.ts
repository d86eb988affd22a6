// Tools of Messages by their type: those with a date are Anthropic's own.
import type { ToolUnion } from '@anthropic-ai/sdk/resources/messages';
import type { Types } from './cases.ts';

export const VENDOR_TOOLS: Types<ToolUnion> = {
  custom: [{ name: 'other', input_schema: { type: 'object' } }, 'sent'],
  bash_20250124: [{ name: 'bash' }, 'left out'],
  code_execution_20250522: [{ name: 'code_execution' }, 'left out'],
  code_execution_20250825: [{ name: 'code_execution' }, 'left out'],
  code_execution_20260120: [{ name: 'code_execution' }, 'left out'],
  code_execution_20260521: [{ name: 'code_execution' }, 'left out'],
  browser_toolset_20260801: [{ name: 'browser' }, 'left out'],
  memory_20250818: [{ name: 'memory' }, 'left out'],
  computer_toolset_20260801: [{ name: 'computer' }, 'left out'],
  text_editor_20250124: [{ name: 'str_replace_editor' }, 'left out'],
  text_editor_20250429: [{ name: 'str_replace_based_edit_tool' }, 'left out'],
  text_editor_20250728: [{ name: 'str_replace_based_edit_tool' }, 'left out'],
  web_search_20250305: [{ name: 'web_search' }, 'left out'],
  web_search_20260209: [{ name: 'web_search' }, 'left out'],
  web_search_20260318: [{ name: 'web_search' }, 'left out'],
  web_fetch_20250910: [{ name: 'web_fetch' }, 'left out'],
  web_fetch_20260209: [{ name: 'web_fetch' }, 'left out'],
  web_fetch_20260309: [{ name: 'web_fetch' }, 'left out'],
  web_fetch_20260318: [{ name: 'web_fetch' }, 'left out'],
  tool_search_tool_bm25: [{ name: 'tool_search_tool_bm25' }, 'left out'],
  tool_search_tool_bm25_20251119: [{ name: 'tool_search_tool_bm25' }, 'left out'],
  tool_search_tool_regex: [{ name: 'tool_search_tool_regex' }, 'left out'],
  tool_search_tool_regex_20251119: [{ name: 'tool_search_tool_regex' }, 'left out'],
};
