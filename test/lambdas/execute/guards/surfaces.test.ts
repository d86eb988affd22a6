// One verdict wherever a value stands: on four surfaces, at each place of a conversation, whole and streamed in pieces of any size.
import { describe, expect, it } from 'vitest';
import { openGuarded } from './function.ts';

const library = {
  pii: {
    type: 'pii',
    entities: ['email', 'card', 'iban', 'usSsn', 'ip', 'phone', 'nationalId'],
    regions: ['DE', 'GB'],
  },
  secrets: { type: 'secrets' },
  words: { type: 'patterns', deny: ['project\\s{1,3}falcon'] },
};
const guards = Object.keys(library).map((use) => ({
  use,
  on: ['input', 'toolResults', 'tools', 'output'],
  action: 'redact',
}));

/** Each with the part of it that must be nowhere, and what stands in its place. */
const VALUES = [
  ['ann.lee@mail.example.com', 'ann.lee', '[EMAIL]'],
  ['4111 1111 1111 1111', '4111', '[CARD]'],
  ['DE89 3704 0044 0532 0130 00', '0044', '[IBAN]'],
  ['123-45-6789', '6789', '[US_SSN]'],
  ['203.0.113.77', '113.77', '[IP]'],
  ['+44 20 7946 0958', '0958', '[PHONE]'],
  ['65 929 970 489', '929', '[NATIONAL_ID]'],
  ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'ghp_', '[SECRET]'],
  ['Project  Falcon', 'Falcon', '[WORDS]'],
  ['pro\u00adject f\u0430lcon', 'lcon', '[WORDS]'],
] as const;

const schema = { type: 'object', properties: {} };

/** A conversation with the value at each place that the surface has. */
const BODIES = {
  native: (value: string) => ({ ...chat(value), stream: undefined }),
  openai: (value: string) => ({ model: 'support', ...chat(value) }),
  responses: (value: string) => ({
    model: 'support',
    instructions: `Know ${value}.`,
    input: [
      { role: 'user', content: [{ type: 'input_text', text: `Old ${value}!` }] },
      { role: 'assistant', content: [{ type: 'output_text', text: `I said ${value}.` }] },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: JSON.stringify({ who: [value] }) },
      { type: 'function_call_output', call_id: 'a', output: `Found ${value}` },
      { role: 'user', content: `Now ${value}?` },
    ],
    tools: [{ type: 'function', name: 'find', description: `Finds ${value}.`, parameters: schema }],
  }),
  anthropic: (value: string) => ({
    model: 'support',
    max_tokens: 99,
    system: [{ type: 'text', text: `Know ${value}.` }],
    messages: [
      { role: 'user', content: `Old ${value}!` },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `I said ${value}.` },
          { type: 'tool_use', id: 'a', name: 'find', input: { who: [value] } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: `Found ${value}` }] },
          { type: 'text', text: `Now ${value}?` },
        ],
      },
    ],
    tools: [{ name: 'find', description: `Finds ${value}.`, input_schema: schema }],
  }),
} as const;

function chat(value: string) {
  const call = { name: 'find', arguments: JSON.stringify({ who: [value] }) };
  return {
    messages: [
      { role: 'system', content: `Know ${value}.` },
      { role: 'user', content: [{ type: 'text', text: `Old ${value}!` }] },
      {
        role: 'assistant',
        content: `I said ${value}.`,
        tool_calls: [{ id: 'a', type: 'function', function: call }],
      },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: `Found ${value}` }] },
      { role: 'user', content: `Now ${value}?` },
    ],
    tools: [
      { type: 'function', function: { name: 'find', description: `Finds ${value}.`, parameters: schema } },
    ],
  };
}

/** Texts of a request in which the value stands: system, old turn, turn of the assistant, arguments, result, last turn, tool. */
const PLACES = 7;

describe.each(Object.keys(BODIES) as (keyof typeof BODIES)[])('by %s', (surface) => {
  it.each(VALUES)('%s leaves no place, whole or streamed', async (value, canary, label) => {
    for (const size of [0, 1, 3, 7, 16]) {
      const isStream = size > 0;
      const model = openGuarded({ library, guards, settings: { caching: { exact: true } } }, () => ({
        text: `Yes, ${value}, of course.`,
        toolCalls: [{ name: 'find', arguments: JSON.stringify({ to: `x ${value} y` }) }],
        size,
      }));
      const json = BODIES[surface](value);
      const form = { surface, stream: surface === 'native' && isStream, idempotencyKey: 'one' };
      const { status, text } = await model.call(
        surface === 'native' ? json : { ...json, stream: isStream },
        form,
      );
      expect([status, model.asked.length]).toEqual([200, 1]);
      expect(model.asked[0]?.split(label)).toHaveLength(PLACES + 1);
      expect(text.replaceAll('\\', '')).toContain(`"x ${label} y"`);
      expect(model.asked[0] + text + model.kept()).not.toContain(canary);
      const found = model.entries[0]?.guards?.flatMap(({ finds }) => finds.map(({ count }) => count)) ?? [];
      expect(found.reduce((sum, count) => sum + count, 0)).toBe(PLACES + 2);
    }
  });
});
