// Requirements of docs/guards-requirements.md that no other file has a test for.
import { describe, expect, it } from 'vitest';
import { openGuarded } from './function.ts';

const MAIL = 'ann.lee@mail.example.com';
const library = {
  pii: { type: 'pii', entities: ['email', 'card'] },
  words: { type: 'patterns', deny: ['falcon'] },
  names: { type: 'patterns', deny: ['ann\\.lee'] },
  labels: { type: 'patterns', deny: ['EMAIL_\\w{8}'] },
};
const user = (content: string) => ({ role: 'user', content });
const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];

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

describe('the error of a blocked request', () => {
  const guards = [{ use: 'words', on: ['input'], action: 'block' }];

  it.each([0, 1, 2, 3])('names the message %i that OpenAI clients sent', async (index) => {
    const model = openGuarded({ library, guards });
    const messages = ['system', 'user', 'assistant', 'user'].map((role, place) => ({
      role,
      content: place === index ? 'the falcon' : 'x',
    }));
    const { status, text } = await model.call({ model: 'support', messages }, { surface: 'openai' });
    const param = index === 0 ? null : `messages[${index}]`;
    expect([status, JSON.parse(text).error]).toEqual([
      400,
      expect.objectContaining({ code: 'content_filter', param }),
    ]);
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
