// Requests in which one text stands at each place of a conversation that a surface has.
import type { Route } from '../../../../../core/contract/routes.ts';

/** Of an organization: at its URL, with the neuron named by the body. */
export interface Door {
  readonly surface: Route['surface'];
  readonly isOfOrganization: boolean;
}

const BOTH = [false, true];

export const DOORS: readonly Door[] = [
  { surface: 'native', isOfOrganization: false },
  { surface: 'mcp', isOfOrganization: true },
  ...(['openai', 'responses', 'anthropic', 'embeddings'] as const).flatMap((surface) =>
    BOTH.map((isOfOrganization) => ({ surface, isOfOrganization })),
  ),
];

const schema = { type: 'object', properties: {} };

/** The same text as two parts that a model reads as one. */
const halvesOf = (text: string, at: number) => [text.slice(0, at), text.slice(at)];

function chat(text: string, at: number) {
  const call = { name: 'find', arguments: JSON.stringify({ who: [text] }) };
  return {
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: [{ type: 'text', text }] },
      { role: 'assistant', content: text, tool_calls: [{ id: 'a', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'a', content: text },
      {
        role: 'assistant',
        content: 'Once more.',
        tool_calls: [{ id: 'b', type: 'function', function: call }],
      },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: halvesOf(text, at).map((half) => ({ type: 'text', text: half })),
      },
      { role: 'user', content: text },
    ],
    tools: [{ type: 'function', function: { name: 'find', description: text, parameters: schema } }],
  };
}

/** `at`: where the text is cut that stands as two parts. A surface that is added is added here, or this does not compile. */
export const BODIES: Record<Route['surface'], (text: string, at: number) => object> = {
  native: (text, at) => chat(text, at),
  openai: (text, at) => ({ model: 'support', ...chat(text, at) }),
  responses: (text, at) => {
    const call = (call_id: string) => ({
      ...{ type: 'function_call', call_id, name: 'find' },
      arguments: JSON.stringify({ who: [text] }),
    });
    return {
      model: 'support',
      instructions: text,
      input: [
        { role: 'user', content: [{ type: 'input_text', text }] },
        { role: 'assistant', content: [{ type: 'output_text', text }] },
        call('a'),
        { type: 'function_call_output', call_id: 'a', output: text },
        call('b'),
        {
          ...{ type: 'function_call_output', call_id: 'b' },
          output: halvesOf(text, at).map((half) => ({ type: 'input_text', text: half })),
        },
        { role: 'user', content: text },
      ],
      tools: [{ type: 'function', name: 'find', description: text, parameters: schema }],
    };
  },
  anthropic: (text, at) => {
    const call = (id: string) => ({ type: 'tool_use', id, name: 'find', input: { who: [text] } });
    const result = (tool_use_id: string, content: unknown) => ({ type: 'tool_result', tool_use_id, content });
    return {
      ...{ model: 'support', max_tokens: 99 },
      system: [{ type: 'text', text }],
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: [{ type: 'text', text }, call('a')] },
        { role: 'user', content: [result('a', text)] },
        { role: 'assistant', content: [{ type: 'text', text: 'Once more.' }, call('b')] },
        {
          role: 'user',
          content: [
            result(
              'b',
              halvesOf(text, at).map((half) => ({ type: 'text', text: half })),
            ),
            { type: 'text', text },
          ],
        },
      ],
      tools: [{ name: 'find', description: text, input_schema: schema }],
    };
  },
  mcp: (input) => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'support', arguments: { input } },
  }),
  embeddings: (text) => ({ model: 'support', input: [text, text] }),
};

/** How often the text stands in a request as one text; beside them there is the one in two parts. */
export const PLACES: Record<Route['surface'], number> = {
  native: 8,
  openai: 8,
  responses: 8,
  anthropic: 8,
  mcp: 1,
  embeddings: 2,
};

/** A request without the text. */
export const SHORT: Record<Route['surface'], object> = {
  native: shortOf(BODIES.native('Go on.', 3)),
  openai: shortOf(BODIES.openai('Go on.', 3)),
  responses: { ...BODIES.responses('Go on.', 3), input: 'Go on.' },
  anthropic: shortOf(BODIES.anthropic('Go on.', 3)),
  mcp: BODIES.mcp('Go on.', 3),
  embeddings: BODIES.embeddings('Go on.', 3),
};

function shortOf(body: object): object {
  return { ...body, messages: [{ role: 'user', content: 'Go on.' }] };
}
