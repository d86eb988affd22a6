// Requirements of docs/guards-requirements.md that no other file has a test for.
import { describe, expect, it } from 'vitest';
import { openGuarded } from './function.ts';

const MAIL = 'ann.lee@mail.example.com';
const library = {
  pii: { type: 'pii', entities: ['email', 'card'] },
  words: { type: 'patterns', deny: ['falcon'] },
  other: { type: 'patterns', deny: ['kestrel'] },
  names: { type: 'patterns', deny: ['ann\\.lee'] },
  labels: { type: 'patterns', deny: ['EMAIL_\\w{8}'] },
};
const user = (content: string) => ({ role: 'user', content });
const toolsOf = (description: string) => [
  { type: 'function', function: { name: 'find', description, parameters: { type: 'object' } } },
];
const tools = toolsOf('Finds.');

it('a placeholder of the request is no find of another guard', async () => {
  const guards = [
    { use: 'pii', on: ['input'], action: 'mask' },
    { use: 'labels', on: ['input'], action: 'redact' },
  ];
  const model = openGuarded({ library, guards });
  await model.call({ input: MAIL });
  const [placeholder = ''] = /\[EMAIL_\w{8}\]/.exec(model.asked[0] ?? '') ?? [];
  await model.call({ messages: [user(MAIL), { role: 'assistant', content: placeholder }, user('x')] });
  expect(model.asked[1]?.split(placeholder)).toHaveLength(3);
  // The same characters from a request without the value are text like any other.
  await model.call({ input: placeholder });
  expect(model.asked[2]).toContain('[[LABELS]]');
});

it.each([1, 2, 10])('each of %i results of tools is looked at', async (count) => {
  const model = openGuarded({ library, guards: [{ use: 'pii', on: ['toolResults'], action: 'redact' }] });
  const ids = Array.from({ length: count }, (_, index) => `call-${index}`);
  const calls = ids.map((id) => ({ id, type: 'function', function: { name: 'find', arguments: '{}' } }));
  const results = ids.map((id) => ({ role: 'tool', tool_call_id: id, content: `${id}: ${MAIL}` }));
  const messages = [user('x'), { role: 'assistant', content: null, tool_calls: calls }, ...results];
  expect((await model.call({ messages, tools })).status).toBe(200);
  expect(model.asked[0]).not.toContain('ann.lee');
  for (const id of ids) expect(model.asked[0]).toContain(`${id}: [EMAIL]`);
});

it.each([
  [
    [`to ${MAIL}`, ' now'],
    ['to [EMAIL]', ' now'],
  ],
  [
    ['to', ` ${MAIL}`],
    ['to', ' [EMAIL]'],
  ],
  [
    ['to ann.lee@mail', '.example.com now'],
    ['to [EMAIL]', ' now'],
  ],
])(
  'parts of the result of a tool %j are looked at, and it stays the result of its call',
  async (parts, left) => {
    const model = openGuarded({ library, guards: [{ use: 'pii', on: ['toolResults'], action: 'redact' }] });
    const tool_calls = [{ id: 'call-1', type: 'function', function: { name: 'find', arguments: '{}' } }];
    const content = parts.map((text) => ({ type: 'text', text }));
    const result = { role: 'tool', tool_call_id: 'call-1', content };
    const messages = [user('x'), { role: 'assistant', content: null, tool_calls }, result];
    expect((await model.call({ messages, tools })).status).toBe(200);
    const [, call, answered] = JSON.parse(model.asked[0] ?? '').messages;
    expect(call).toMatchObject({ role: 'assistant', tool_calls });
    expect(answered).toMatchObject({ role: 'tool', tool_call_id: 'call-1' });
    expect(answered.content).toBe(left.join('\n'));
  },
);

describe('the error of a blocked request', () => {
  const guards = [{ use: 'words', on: ['input', 'system', 'tools'], action: 'block' }];
  const paramOf = async (surface: 'openai' | 'responses', json: object) => {
    const model = openGuarded({ library, guards });
    const { status, text } = await model.call({ model: 'support', ...json }, { surface });
    expect([status, model.asked]).toEqual([400, []]);
    return JSON.parse(text).error;
  };

  it.each([0, 1, 2, 3])('names the message %i that OpenAI clients sent', async (index) => {
    const messages = ['system', 'user', 'assistant', 'user'].map((role, place) => ({
      role,
      content: place === index ? 'the falcon' : 'x',
    }));
    const error = await paramOf('openai', { messages });
    expect(error).toMatchObject({ code: 'content_filter', param: `messages[${index}]` });
  });

  it.each([
    [{ messages: ['x', 'falcon'].map((content) => ({ role: 'system', content })) }, 'messages'],
    [{ messages: [user('x')], tools: toolsOf('Finds a falcon.') }, 'tools'],
    [{ messages: [user('x')], stop: ['falcon'] }, null],
  ])('names of %j the member', async (json, param) => {
    expect((await paramOf('openai', json)).param).toBe(param);
  });

  it.each([
    [{ input: 'the falcon' }, 'input'],
    [{ input: [user('x'), user('the falcon')] }, 'input'],
    [{ input: 'x', instructions: 'the falcon' }, 'instructions'],
  ])('names of a response %j the member', async (json, param) => {
    expect((await paramOf('responses', json)).param).toBe(param);
  });
});

it.each([
  { guardrails: [] },
  { guards: [] },
  { metadata: { guardrails: '[]', disable_global_guardrails: 'true' } },
  { guardrail_config: { enabled: false } },
  { extra_body: { guardrails: [] } },
])('no caller leaves a guard out: %j', async (members) => {
  const model = openGuarded({ library, guards: [{ use: 'words', on: ['input'], action: 'block' }] });
  const { status } = await model.call({ input: 'the falcon', ...members });
  expect([status, model.asked]).toEqual([422, []]);
});

it('a guard that blocks sees what another one masks', async () => {
  const uses = [
    { use: 'pii', on: ['input'], action: 'mask' },
    { use: 'names', on: ['input'], action: 'block' },
  ];
  for (const guards of [uses, uses.toReversed()]) {
    const model = openGuarded({ library, guards });
    const { status } = await model.call({ input: `Mail ${MAIL}` });
    expect([status, model.asked]).toEqual([422, []]);
    expect(model.kept()).not.toContain('ann.lee');
  }
});

describe('an answer', () => {
  const guards = [{ use: 'pii', on: ['input', 'output'], action: 'redact' }];

  it.each(['none', 'full', 'hash'] as const)('is the same with bodies: %s in the log', async (bodies) => {
    const settings = { logging: { bodies } };
    const model = openGuarded({ library, guards, settings }, () => ({ text: `To ${MAIL}.` }));
    const { text } = await model.call({ input: `Mail ${MAIL}` });
    expect(JSON.parse(text)).toEqual({ output: 'To [EMAIL].', fromCache: false, executionStopped: false });
    expect(model.asked[0]).toContain('Mail [EMAIL]');
    expect(model.kept()).not.toContain('ann.lee');
  });
});

describe('a thought that callers read', () => {
  const flow = [
    {
      callModel: {
        provider: 'model',
        model: 'm',
        maxTokens: 500,
        retries: 0,
        accepts: 'all',
        showReasoning: true,
      },
    },
  ];
  const ask = async (action: string, stream: boolean) => {
    const guards = [{ use: 'pii', on: ['output'], action }];
    const model = openGuarded({ library, guards, flow }, () => ({
      thought: `Is it ${MAIL}?`,
      text: 'Yes.',
      size: 3,
    }));
    const json = { model: 'support', messages: [user('x')], stream };
    const { text } = await model.call(json, { surface: 'openai', stream: false });
    expect(text + model.kept()).not.toContain('ann.lee');
    return stream ? piecesOf(text) : JSON.parse(text).choices[0].message.reasoning_content;
  };
  const piecesOf = (text: string) =>
    [...text.matchAll(/"reasoning_content":"([^"]*)"/g)].map(([, piece]) => piece).join('');

  it.each([false, true])('is looked at (streamed: %s)', async (stream) => {
    expect(await ask('redact', stream)).toBe('Is it [EMAIL]?');
  });

  it.each([false, true])('ends the answer where a guard blocks (streamed: %s)', async (stream) => {
    expect(`${await ask('block', stream)}`).not.toContain('@');
  });
});

describe('an answer that was kept', () => {
  const caching = { exact: true };
  const ask = (words: readonly object[], from?: ReturnType<typeof openGuarded>) => {
    const model = openGuarded({ library, guards: words, settings: { caching } }, () => ({
      text: 'A kestrel.',
    }));
    if (from !== undefined) Object.assign(model.ports, { responses: from.ports.responses });
    return model;
  };
  const looking = (use: string) => [{ use, on: ['output'], action: 'redact' }];

  it('is not found again by a neuron with other guards', async () => {
    const before = ask(looking('words'));
    await before.call({ input: 'x' });
    const after = ask(looking('other'), before);
    const { text } = await after.call({ input: 'x' });
    expect(JSON.parse(text)).toMatchObject({ output: 'A [OTHER].', fromCache: false });
    expect(after.asked).toHaveLength(1);
    const same = ask(looking('words'), before);
    expect(JSON.parse((await same.call({ input: 'x' })).text)).toMatchObject({ fromCache: true });
  });

  it.each(['redact', 'block'])('is looked at again by guards that %s', async (action) => {
    const said = { text: 'A hawk.' };
    const model = openGuarded(
      { library, guards: [{ use: 'other', on: ['output'], action }], settings: { caching } },
      () => said,
    );
    await model.call({ input: 'x' });
    // As someone with the right to write there could put it.
    const { read } = model.ports.responses;
    Object.assign(model.ports.responses, {
      read: async (...asked: Parameters<typeof read>) => {
        const kept = await read(...asked);
        return kept && { ...kept, output: 'Kept kestrel.' };
      },
    });
    const { text } = await model.call({ input: 'x' });
    expect(text + model.kept()).not.toContain('kestrel');
    expect(JSON.parse(text).fromCache).toBe(action === 'redact');
  });
});
