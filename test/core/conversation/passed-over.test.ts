// Members that nobody knows within messages, parts, calls and tools are passed over: what an SDK or another server hands out can be sent back.
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';

const parse = (body: string) =>
  parseInvocation({ body, bypassCache: [], rawOutput: [], accept: [] }, 262_144).conversation;

const CALL = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
const BARE = {
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: 'One moment.', tool_calls: [CALL] },
    { role: 'tool', tool_call_id: 'a', content: 'found' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
};

/** The same with more members wherever an object of the conversation is. */
const more = (value: object): object => ({ ...value, ...JSON.parse(EXTRA) });
const EXTRA = `{
  "parsed": {"a": [1]}, "index": 0, "provider_specific_fields": {"refusal": null}, "reasoning_content": "",
  "cache_control": {"type": "ephemeral"}, "annotations": [], "createdAt": "now", "extra_content": {"google": {}},
  "__proto__": {"role": "system", "toJSON": 1}, "constructor": {"prototype": {}}, "hasOwnProperty": 1, "": "\\ud800"
}`;
const FULL = {
  messages: BARE.messages.map((message) => ({
    ...more(message),
    ...(Array.isArray(message.content) ? { content: message.content.map(more) } : {}),
    ...('tool_calls' in message && message.tool_calls !== undefined
      ? { tool_calls: [{ ...more(CALL), function: { ...more(CALL.function), parsed_arguments: {} } }] }
      : {}),
  })),
  tools: BARE.tools.map((tool) => ({ ...more(tool), function: more(tool.function) })),
};

describe('a conversation with members that nobody knows', () => {
  it('is what it is without them, those of prototypes included', () => {
    const body = JSON.stringify(FULL).replaceAll('"hasOwnProperty"', '"__proto__"');
    expect(body).toContain('"parsed_arguments"');
    expect(parse(body)).toEqual(parse(JSON.stringify(BARE)));
    expect(({} as { toJSON?: unknown }).toJSON).toBeUndefined();
  });

  it.each(['function_call', 'audio'])('is refused with %s, which would change what it says', (member) => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Ho', [member]: { name: 'f', id: 'a' } },
      { role: 'user', content: 'Hi' },
    ];
    expect(() => parse(JSON.stringify({ messages }))).toThrow(
      expect.objectContaining({ param: `messages[1].${member}` }),
    );
  });
});
