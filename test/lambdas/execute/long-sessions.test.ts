// A session of 1,000 turns with calls of tools: on each surface, and at each provider, every piece arrives once and in its order.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openGateway, PROVIDERS } from './vendor-types/cases.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const TURNS = 1_000;
/** Pieces of a turn: what the user says, the arguments of a call, its result, and the answer. */
const PIECES = 4;
const parameters = { type: 'object', properties: { at: { type: 'string' } } };
const mark = (turn: number, piece: number) => `mark-${turn * PIECES + piece}`;
const argumentsOf = (turn: number) => ({ at: mark(turn, 1) });

/** A session as a client of each surface keeps it. */
const SESSIONS = {
  openai: {
    turn: (turn: number) => [
      { role: 'user', content: mark(turn, 0) },
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [
          {
            ...{ id: `c${turn}`, type: 'function' },
            function: { name: 'look', arguments: JSON.stringify(argumentsOf(turn)) },
          },
        ],
      },
      { role: 'tool', tool_call_id: `c${turn}`, content: mark(turn, 2) },
      { role: 'assistant', content: mark(turn, 3) },
    ],
    body: (messages: readonly object[]) => ({
      ...{ messages: [...messages, { role: 'user', content: 'Go on.' }] },
      tools: [{ type: 'function', function: { name: 'look', parameters } }],
    }),
  },
  responses: {
    turn: (turn: number) => [
      { role: 'user', content: mark(turn, 0) },
      {
        ...{ type: 'function_call', call_id: `c${turn}`, name: 'look' },
        arguments: JSON.stringify(argumentsOf(turn)),
      },
      { type: 'function_call_output', call_id: `c${turn}`, output: mark(turn, 2) },
      { role: 'assistant', content: mark(turn, 3) },
    ],
    body: (items: readonly object[]) => ({
      input: [...items, { role: 'user', content: 'Go on.' }],
      tools: [{ type: 'function', name: 'look', parameters, strict: false }],
    }),
  },
  anthropic: {
    turn: (turn: number) => [
      { role: 'user', content: mark(turn, 0) },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `c${turn}`, name: 'look', input: argumentsOf(turn) }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${turn}`, content: mark(turn, 2) }] },
      { role: 'assistant', content: mark(turn, 3) },
    ],
    body: (messages: readonly object[]) => ({
      ...{ max_tokens: 100, messages: [...messages, { role: 'user', content: 'Go on.' }] },
      tools: [{ name: 'look', input_schema: parameters }],
    }),
  },
} as const;

describe.each(['openai', 'responses', 'anthropic'] as const)('1,000 turns by %s', (surface) => {
  it.each(PROVIDERS)('reach %s whole and in order', async (provider) => {
    const { turn, body } = SESSIONS[surface];
    const turns = Array.from({ length: TURNS }, (_, index) => turn(index)).flat();
    const { status, asked = '' } = await openGateway(surface)(provider, body(turns));
    expect(status).toBe(200);
    const expected = Array.from({ length: TURNS * PIECES }, (_, index) => `mark-${index}`);
    expect(asked.match(/mark-\d+/g)).toEqual(expected);
    // Each result beside the id of its call, which stands there twice.
    const ids = Array.from({ length: TURNS }, (_, index) => [`"c${index}"`, `"c${index}"`]).flat();
    expect(asked.match(/"c\d+"/g)).toEqual(ids);
  });
});
