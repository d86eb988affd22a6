// A value of a model's answer in a member that few answers have: it reaches no caller, and nothing that is kept, whole and streamed.
import { describe, expect, it } from 'vitest';
import { deltasOf, leavesOf } from '../corpora/answers.ts';
import type { Told } from '../function.ts';
import { CANARIES, callOf, MAIL, SURFACES, type Surface, TOKEN, WAYS } from './call.ts';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const message = { role: 'assistant', content: 'Yes.' };
const choice = (index: number, more: object = {}) => ({
  index,
  message: { ...message, ...more },
  finish_reason: 'stop',
});
const whole = (...choices: object[]) => ({ choices, usage });
const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const end = [chunk({}, { finish_reason: 'stop' }), { choices: [], usage }];
const text = chunk({ content: 'Yes.' });
const callWith = (id: string, name = 'find') => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});

/** As an answer, and as the chunks of a stream. */
const SHAPES: Record<string, Told> = {
  // Choices beside the first one: no caller can ask for them.
  'another choice': {
    body: whole(choice(0), choice(1, { content: MAIL })),
    chunks: [text, { choices: [{ index: 1, delta: { content: MAIL } }] }, ...end],
  },
  'a refusal': {
    body: whole(choice(0, { content: null, refusal: `Not for ${MAIL}.` })),
    chunks: [chunk({ refusal: 'Not for ann.' }), chunk({ refusal: MAIL.slice(4) }), ...end],
  },
  'a refusal beside a text': {
    body: whole(choice(0, { refusal: `Not for ${MAIL}.` })),
    chunks: [text, chunk({ refusal: MAIL }), ...end],
  },
  'parts of a text': {
    body: whole(
      choice(0, {
        content: [
          { type: 'text', text: 'ann.lee@mail' },
          { type: 'text', text: '.example.com' },
        ],
      }),
    ),
    chunks: [
      chunk({ content: [{ type: 'text', text: 'ann.lee@mail' }] }),
      chunk({ content: [{ type: 'text', text: '.example.com' }] }),
      ...end,
    ],
  },
  'a thought': {
    body: whole(
      choice(0, {
        reasoning_content: `Is it ${MAIL}?`,
        reasoning: MAIL,
        reasoning_details: [{ text: MAIL }],
      }),
    ),
    chunks: [chunk({ reasoning_content: 'ann.' }), chunk({ reasoning_content: MAIL.slice(4) }), text, ...end],
  },
  'usage and members beside it': {
    body: {
      ...whole(choice(0)),
      usage: { ...usage, note: MAIL },
      service_tier: MAIL,
      system_fingerprint: MAIL,
      id: MAIL,
      model: MAIL,
    },
    chunks: [
      { ...text, model: MAIL, service_tier: MAIL, system_fingerprint: MAIL, id: MAIL },
      { choices: [], usage: { ...usage, note: MAIL } },
      chunk({}, { finish_reason: 'stop' }),
    ],
  },
  'log probabilities and annotations': {
    body: whole({
      ...choice(0, {
        annotations: [{ type: 'url_citation', url_citation: { title: MAIL } }],
        audio: { transcript: MAIL },
      }),
      logprobs: { content: [{ token: MAIL }] },
    }),
    chunks: [
      chunk(
        { content: 'Yes.', annotations: [{ title: MAIL }] },
        { logprobs: { content: [{ token: MAIL }] } },
      ),
      ...end,
    ],
  },
  'a reason to finish': {
    body: whole({ ...choice(0), finish_reason: MAIL }),
    chunks: [text, chunk({}, { finish_reason: MAIL })],
  },
  'the id of a call': {
    body: whole(
      choice(0, {
        tool_calls: [callWith(MAIL), callWith(TOKEN), callWith('123-45-6789')],
      }),
    ),
    chunks: [MAIL, TOKEN, '123-45-6789']
      .map((id, index) => chunk({ tool_calls: [{ index, ...callWith(id) }] }))
      .concat(end as never),
  },
  'the name of a call': {
    body: whole(choice(0, { tool_calls: [callWith('a', '123-45-6789')] })),
    chunks: [chunk({ tool_calls: [{ index: 0, ...callWith('a', '123-45-6789') }] }), ...end],
  },
  'an error in a stream': {
    body: { error: { message: `Generated: ${MAIL}`, failed_generation: MAIL } },
    chunks: [
      chunk({ content: `Yes. ann.` }),
      { error: { message: `Could not go on after ${MAIL} 123-45-6789`, code: MAIL } },
    ],
  },
  'an error': {
    status: 400,
    body: {
      error: {
        message: `Generated 123-45-6789 ${MAIL}`,
        code: TOKEN,
        param: MAIL,
        type: '123-45-6789',
      },
    },
  },
  'an error that says no more': { status: 500, body: { error: `cannot ${MAIL}` } },
  'a page': { status: 502, body: { html: MAIL } },
};

/** Where the answer is an error of the provider, in whatever form. */
const FAILED = /^an error|^a page|^the name of a call/;

describe.each(Object.entries(SHAPES))('%s', (name, told) => {
  it.each(WAYS)('shows nothing by $surface to $action, streamed: $stream', async (way) => {
    const { model, answer, found } = await callOf(told, way);
    expect(found).toEqual([]);
    expect(model.asked).toHaveLength(1);
    expect(model.entries[0]?.code !== undefined).toBe(FAILED.test(name));
    if (!FAILED.test(name)) expect(answer.status).toBe(200);
  });
});

it.each(SURFACES)('a value of an answer would be found by %s', async (surface) => {
  const told = { text: `No, ${MAIL}.` };
  const { found } = await callOf(told, { surface, action: 'flag', stream: false });
  expect(found).toEqual(CANARIES.slice(0, 2));
});

describe('the words of a provider about its error', () => {
  const reasonOf = async (message: string, action: string) => {
    const way = { surface: 'native', action, stream: false } as const;
    const { model } = await callOf({ status: 500, body: { error: { message } } }, way);
    return model.entries[0]?.reason;
  };

  it('are in the log where guards find nothing in them, or only flag', async () => {
    expect(await reasonOf('The disk is full.', 'redact')).toContain('The disk is full.');
    expect(await reasonOf(`The disk of ${MAIL} is full.`, 'flag')).toContain('ann.lee');
  });

  it.each([
    `Generated ${MAIL}`,
    'Generated ann.lee\\u0040mail.example.com',
    `${'All is full. '.repeat(14)} ${MAIL}${'a'.repeat(300)}@`,
  ])('are withheld: %s', async (message) => {
    expect(await reasonOf(message, 'redact')).toBe(
      'model/m: unavailable (HTTP 500, "[withheld: a guard looks for what it says]")',
    );
  });
});

describe('an answer that is JSON', () => {
  const schema = { type: 'object', additionalProperties: true };
  const format = { type: 'json_schema', name: 'any', schema };
  const FORMATS: Record<Surface, object> = {
    native: { responseFormat: { type: 'json_schema', json_schema: { name: 'any', schema } } },
    openai: { response_format: { type: 'json_schema', json_schema: { name: 'any', schema } } },
    responses: { text: { format } },
    anthropic: { output_config: { format: { type: 'json_schema', schema } } },
  };
  const text = `{"${MAIL}":{"n":"123\\u002d45-6789","a":["x ann\\u002elee@mail.example.com"]},"b":"${TOKEN}"}`;

  it.each(WAYS)('shows no name and no value by $surface to $action, streamed: $stream', async (way) => {
    const { answer, found } = await callOf({ text, size: 3 }, way, {
      json: { ...FORMATS[way.surface], tools: undefined },
    });
    expect([answer.status, found]).toEqual([200, []]);
    const left = '{"[EMAIL]":{"n":"[US_SSN]","a":["x [EMAIL]"]},"b":"[SECRET]"}';
    const texts = way.stream ? deltasOf(way.surface, answer.text) : leavesOf(answer.text);
    expect(texts.includes(left)).toBe(way.action === 'redact');
  });
});
