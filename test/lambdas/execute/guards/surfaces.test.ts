// One verdict wherever a value stands: on every surface, at each place of a conversation, whole and streamed in pieces of any size.
import { describe, expect, it } from 'vitest';
import { ROUTES, type Route } from '../../../../core/contract/routes.ts';
import { isEveryCase } from '../../../support/every-case.ts';
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

/** A request with the value at each place that the surface has. A surface that is added is added here, or this does not compile. */
const BODIES: Record<Route['surface'], (value: string) => object> = {
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
  mcp: (value: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'support', arguments: { input: `Now ${value}?` } },
  }),
  embeddings: (value: string) => ({ model: 'support', input: [`Old ${value}!`, `Now ${value}?`] }),
};

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
const CONVERSATION = 7;

/** Where a caller chooses between the URL of a neuron and that of its organization. */
const AT_BOTH = [false, true];
const TEXT_CASES = [
  { surface: 'native', isOfOrganization: false },
  { surface: 'mcp', isOfOrganization: true },
  ...(['openai', 'responses', 'anthropic'] as const).flatMap((surface) =>
    AT_BOTH.map((isOfOrganization) => ({ surface, isOfOrganization })),
  ),
] as const;

/** Characters of a piece of a stream: of ten values, each size from 1 to 16 by every surface; all of them with `EVERY_CASE`. */
function sizesOf(index: number): readonly number[] {
  const all = Array.from({ length: 16 }, (_, size) => size + 1);
  return isEveryCase ? all : [0, 1].map((more) => 1 + ((2 * index + more) % all.length));
}

it('streams in pieces of every size', () => {
  const sizes = VALUES.flatMap((_, index) => sizesOf(index));
  expect([...new Set(sizes)].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
});

/** They count tokens in the function itself, and keep a mark of a caller: no model reads what they get. */
const ASKS_NO_MODEL = /^(?:countTokens|sendFeedback)/;

it('is tried by every route that asks a model', () => {
  const asking = ROUTES.filter(({ method, name }) => method === 'POST' && !ASKS_NO_MODEL.test(name));
  const ways = asking.map(({ surface, base }) => `${surface} ${base === 'organization'}`);
  const tried = [...TEXT_CASES, ...AT_BOTH.map((one) => ({ surface: 'embeddings', isOfOrganization: one }))];
  const cases = tried.map(({ surface, isOfOrganization }) => `${surface} ${isOfOrganization}`);
  expect([...new Set(ways)].toSorted()).toEqual(cases.toSorted());
});

it('looks into spans with their texts, and into metrics', async () => {
  const model = openGuarded({ library, guards }, () => ({ text: 'Yes, of course.' }));
  await model.call({ input: 'Now what?' });
  for (const key of ['gen_ai.input.messages', 'gen_ai.output.messages']) expect(model.kept()).toContain(key);
  expect(model.lines.join()).toContain('"_aws"');
});

function settingsOf(isOfOrganization: boolean) {
  const access = isOfOrganization ? { apiKey: true } : { public: true };
  return { access, mcp: { description: 'Helps.' }, caching: { exact: true } };
}

describe.each(TEXT_CASES)(
  'by $surface, of an organization: $isOfOrganization',
  ({ surface, isOfOrganization }) => {
    const settings = settingsOf(isOfOrganization);
    const isTool = surface === 'mcp';
    const places = isTool ? 1 : CONVERSATION;

    it.each(VALUES)('%s leaves no place, whole or streamed', async (value, canary, label) => {
      const index = VALUES.findIndex(([one]) => one === value);
      for (const size of isTool ? [0] : [0, ...sizesOf(index)]) {
        const isStream = size > 0;
        const toolCalls = [{ name: 'find', arguments: JSON.stringify({ to: `x ${value} y` }) }];
        const text = `Yes, ${value}, of course.`;
        const told = isTool ? { text } : { text, toolCalls, size };
        const model = openGuarded({ library, guards, settings }, () => told);
        const stream = surface === 'native' || isTool ? undefined : isStream;
        const answer = await model.call(
          { ...BODIES[surface](value), stream },
          {
            ...{ surface, isOfOrganization, idempotencyKey: 'one' },
            stream: surface === 'native' && isStream,
          },
        );
        expect([answer.status, model.asked.length]).toEqual([200, 1]);
        expect(model.asked[0]?.split(label)).toHaveLength(places + 1);
        const left = isTool ? `Yes, ${label}, of course.` : `"x ${label} y"`;
        expect(answer.text.replaceAll('\\', '')).toContain(left);
        expect(model.asked[0] + answer.text + model.kept()).not.toContain(canary);
        expect(countFinds(model)).toBe(places + (isTool ? 1 : 2));
      }
    });
  },
);

describe.each(AT_BOTH)('by embeddings, of an organization: %s', (isOfOrganization) => {
  const settings = settingsOf(isOfOrganization);
  const flow = [{ embed: { provider: 'model', model: 'e', retries: 0 } }];
  const data = [0, 1].map((index) => ({ index, embedding: [1, 0.5] }));
  const body = { data, usage: { prompt_tokens: 4, total_tokens: 4 } };

  it.each(VALUES)('%s is in no text to embed', async (value, canary, label) => {
    const model = openGuarded({ library, guards, settings, flow }, () => ({ body }));
    const form = { surface: 'embeddings', isOfOrganization, stream: false } as const;
    const answer = await model.call(BODIES.embeddings(value), form);
    expect([answer.status, model.asked.length]).toEqual([200, 1]);
    expect(model.asked[0]?.split(label)).toHaveLength(3);
    expect(model.asked[0] + answer.text + model.kept()).not.toContain(canary);
    expect(countFinds(model)).toBe(2);
  });
});

function countFinds({ entries }: ReturnType<typeof openGuarded>): number {
  const finds = entries[0]?.guards?.flatMap((guard) => guard.finds) ?? [];
  return finds.reduce((sum, { count }) => sum + count, 0);
}
