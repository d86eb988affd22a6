// A request as Claude Code sends it (code.claude.com/docs/en/llm-gateway), with members, blocks and tools that this service does not know.

export const BETAS = ['context-management-2025-06-27,tool-examples-2025-10-29', 'novelty-2027-01-01'];

export const REQUEST = {
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330' },
    { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'List.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'toolu_0', name: 'bash', input: { command: 'ls' } },
        { type: 'server_tool_use', id: 'srv', name: 'tool_search_tool_regex', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_0',
          is_error: false,
          content: [{ type: 'tool_reference', tool_name: 'bash' }],
        },
        { type: 'search_result', source: 'here', title: 't', content: [{ type: 'text', text: 'x' }] },
        { type: 'novelty', of: ['a', 1] },
      ],
    },
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Go on.' },
  ],
  tools: [
    { name: 'bash', type: 'bash_20250124' },
    { name: 'look', input_schema: { type: 'object' }, input_examples: [{}], defer_loading: true },
    { name: 'find', type: 'tool_search_tool_regex_20251119' },
  ],
  thinking: { type: 'adaptive', display: 'summarized' },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  output_config: { effort: 'high' },
  metadata: { user_id: 'session-1' },
  novelty: { a: [null, 1.5, 'x'] },
};
