// Numbers of more digits than a double holds, such as ids and cards: written on as they came, and looked at as they are written.
import { describe, expect, it } from 'vitest';
import { exactNumber } from '../../../../core/text/exact-json.ts';
import type { CallForm } from '../memory-ports.ts';
import { openGuarded } from './function.ts';
import { LONG_CARD } from './shapes/call.ts';

/** A whole number of 64 bits at its end, as schemas have it, and as ids are. */
const ID = '9223372036854775807';
const argumentsOf = (digits: string) => ({ account: { number: exactNumber(digits) } });
const schemaOf = (digits: string) => ({
  type: 'object',
  properties: { account: { enum: [exactNumber(digits)] } },
});

function chat(digits: string) {
  const call = { name: 'find', arguments: JSON.stringify(argumentsOf(digits)) };
  return {
    messages: [
      { role: 'user', content: 'Find it.' },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'a', content: 'None.' },
    ],
    tools: [{ type: 'function', function: { name: 'find', parameters: schemaOf(digits) } }],
  };
}

const BODIES = {
  native: chat,
  openai: (digits: string) => ({ model: 'support', ...chat(digits) }),
  responses: (digits: string) => ({
    model: 'support',
    input: [
      { role: 'user', content: 'Find it.' },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: JSON.stringify(argumentsOf(digits)) },
      { type: 'function_call_output', call_id: 'a', output: 'None.' },
    ],
    tools: [{ type: 'function', name: 'find', parameters: schemaOf(digits) }],
  }),
  anthropic: (digits: string) => ({
    model: 'support',
    max_tokens: 99,
    messages: [
      { role: 'user', content: 'Find it.' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'find', input: argumentsOf(digits) }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'None.' }] },
    ],
    tools: [{ name: 'find', input_schema: schemaOf(digits) }],
  }),
} as const;

const WAYS = (Object.keys(BODIES) as (keyof typeof BODIES)[]).flatMap((surface) =>
  [false, true].map((stream) => ({ surface, stream })),
);

const library = { pii: { type: 'pii', entities: ['card'] } };
const guards = [{ use: 'pii', on: ['input', 'tools', 'output'], action: 'redact' }];

function callWith(digits: string, { surface, stream }: (typeof WAYS)[number]) {
  const answered = { name: 'find', arguments: JSON.stringify(argumentsOf(digits)) };
  const model = openGuarded({ library, guards }, () => ({ toolCalls: [answered] }));
  const form: CallForm = { surface, stream: surface === 'native' && stream, idempotencyKey: 'one' };
  const json = surface === 'native' ? {} : { stream };
  return { model, answer: model.call({ ...BODIES[surface](digits), ...json }, form) };
}

/** Within JSON that is a text of JSON. */
const unquoted = (text: string) => text.replaceAll('\\', '');

describe.each(WAYS)('by $surface, streamed: $stream', (way) => {
  it('an id reaches the model and the caller as it was written', async () => {
    const { model, answer } = callWith(ID, way);
    const { status, text } = await answer;
    expect(status).toBe(200);
    expect(unquoted(model.asked[0] ?? '').split(`"number":${ID}`)).toHaveLength(2);
    expect(model.asked[0]).toContain(`"enum":[${ID}]`);
    expect(unquoted(text)).toContain(`"number":${ID}`);
    expect(unquoted(model.kept())).toContain(`"number":${ID}`);
  });

  it('a card is masked on both ways', async () => {
    const { model, answer } = callWith(LONG_CARD, way);
    const { status, text, headers } = await answer;
    expect(status).toBe(200);
    expect(unquoted(text)).toContain('"number":"[CARD]"');
    expect(model.asked[0]).toContain('"enum":["[CARD]"]');
    const everything = [text, JSON.stringify(headers), model.kept(), ...model.asked].join('\n');
    expect(everything).not.toContain(LONG_CARD.slice(0, 12));
  });
});

it.each([
  ['a variable', { account: exactNumber(LONG_CARD) }, 'redact', 200],
  ['a variable that is blocked', { account: exactNumber(LONG_CARD) }, 'block', 422],
] as const)('%s is looked at as it is written', async (_name, variables, action, status) => {
  const flow = [
    { callModel: { provider: 'model', model: 'm', maxTokens: 9, retries: 0, prompt: 'Pay {{account}}' } },
  ];
  const model = openGuarded({
    library,
    guards: [{ use: 'pii', on: ['input'], action }],
    flow,
    variables: { account: { type: 'number' } },
  });
  const answer = await model.call({ variables });
  expect(answer.status).toBe(status);
  expect([...model.asked, model.kept()].join('\n')).not.toContain(LONG_CARD.slice(0, 12));
});

it('a variable that is an id comes to the prompt as it was sent', async () => {
  const flow = [
    { callModel: { provider: 'model', model: 'm', maxTokens: 9, retries: 0, prompt: 'Pay {{account}}' } },
  ];
  const model = openGuarded({ flow, variables: { account: { type: 'number', min: 0 } } });
  const { status } = await model.call({ variables: { account: exactNumber(ID) } });
  expect([status, model.asked[0]]).toEqual([200, expect.stringContaining(`Pay ${ID}`)]);
  expect((await model.call({ variables: { account: exactNumber(`-${ID}`) } })).status).toBe(422);
});

it('a guard of type schema takes an id for the whole number that it is', async () => {
  const schema = {
    type: 'object',
    properties: { account: { type: 'object', properties: { number: { type: 'integer' } } } },
  };
  const answered = { name: 'find', arguments: JSON.stringify(argumentsOf(ID)) };
  const model = openGuarded(
    {
      library: { fits: { type: 'schema', schema, tool: 'find' } },
      guards: [{ use: 'fits', on: ['toolCalls'], action: 'block' }],
    },
    () => ({ toolCalls: [answered] }),
  );
  const { status, text } = await model.call(chat(ID));
  expect([status, text]).toEqual([200, expect.stringContaining(ID)]);
});

it('an answer schema with such a bound is kept to', async () => {
  const schema = { type: 'object', properties: { n: { type: 'integer', maximum: exactNumber(ID) } } };
  const asked = (text: string) => {
    const model = openGuarded({}, () => ({ text }));
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    return model.call(
      { model: 'support', messages: [{ role: 'user', content: 'n?' }], response_format },
      { surface: 'openai' },
    );
  };
  expect((await asked('{"n":5}')).status).toBe(200);
  expect((await asked('{"n":99223372036854775807}')).status).not.toBe(200);
});
