// What an idempotency key keeps has placeholders, and a repeated call gets what the first one got, byte for byte.
import { describe, expect, it } from 'vitest';
import { openGuarded, textOf } from './function.ts';

const MAIL = 'ann.lee@mail.example.com';
const library = {
  pii: { type: 'pii', entities: ['email', 'card'] },
  words: { type: 'patterns', deny: ['falcon'] },
};
const bodies = {
  native: { input: `I am ${MAIL}` },
  openai: { model: 'support', messages: [{ role: 'user', content: `I am ${MAIL}` }] },
  responses: { model: 'support', input: `I am ${MAIL}` },
  anthropic: { model: 'support', max_tokens: 99, messages: [{ role: 'user', content: `I am ${MAIL}` }] },
} as const;
const tool = { name: 'mail', description: 'Mails.' };
const parameters = { type: 'object', properties: {} };
const tools = {
  native: [{ type: 'function', function: { ...tool, parameters } }],
  openai: [{ type: 'function', function: { ...tool, parameters } }],
  responses: [{ type: 'function', ...tool, parameters }],
  anthropic: [{ ...tool, input_schema: parameters }],
} as const;
const maskOf = (asked: string) => /\[EMAIL_\w+\]/.exec(asked)?.[0] ?? '';

describe.each(Object.keys(bodies) as (keyof typeof bodies)[])('by %s', (surface) => {
  const withTools = { ...bodies[surface], tools: tools[surface] };
  const said = (asked: string) => ({
    text: `"Hi"\n${maskOf(asked)}, see https://x.example/\n${maskOf(asked)} "<//x ${maskOf(asked)}`,
    toolCalls: [{ name: 'mail', arguments: JSON.stringify({ to: maskOf(asked) }) }],
  });

  it.each([
    [false, 'output'],
    [true, 'output'],
    [false, 'toolCalls'],
    [true, 'toolCalls'],
  ] as const)('is the same again (streamed: %s, restored in %s)', async (stream, place) => {
    const restore = place === 'output' ? ['output'] : ['output', 'toolCalls'];
    const guards = [{ use: 'pii', on: ['input'], action: 'mask', restore }];
    const model = openGuarded({ library, guards }, said);
    const form = { surface, stream: surface === 'native' && stream, idempotencyKey: 'order-1' };
    const json = surface === 'native' ? withTools : { ...withTools, stream };
    const first = await model.call(json, form);
    const again = await model.call(json, form);
    expect(first.status).toBe(200);
    expect(model.asked).toHaveLength(1);
    expect(again.headers['Idempotency-Replayed']).toBe('true');
    if (!stream) expect(again.text).toBe(first.text);
    if (surface === 'native') expect(textOf(again.text)).toBe(textOf(first.text));
    expect(/"to\\*":\s?\\*"\[EMAIL_/.test(again.text)).toBe(place === 'output');
    expect(again.text).not.toContain('KEPT');
    expect(again.text).toContain(MAIL);
    expect(model.kept()).not.toContain('ann.lee');
  });
});

describe('texts of a flow', () => {
  it.each([
    [{ serveOutput: { text: 'For {{input}}' } }, 'For [EMAIL]', false],
    [{ stop: { text: 'For {{input}}' } }, 'For [EMAIL]', true],
  ])('are looked at on their way out: %j', async (step, output, executionStopped) => {
    const model = openGuarded({
      library,
      guards: [{ use: 'pii', on: ['output'], action: 'redact' }],
      flow: [step],
    });
    const { text } = await model.call({ input: MAIL });
    expect(JSON.parse(text)).toMatchObject({ output, executionStopped });
  });

  it('are blocked', async () => {
    const guards = [{ use: 'words', on: ['output'], action: 'block', text: 'No.' }];
    const model = openGuarded({ library, guards, flow: [{ serveOutput: { text: 'For {{input}}' } }] });
    const { text } = await model.call({ input: 'falcon' });
    expect([textOf(text), JSON.parse(text).executionStopped]).toEqual(['No.', true]);
  });
});

it('a text to embed is masked, redacted or refused, never answered with a text', async () => {
  const flow = [{ embed: { provider: 'model', model: 'e', retries: 0 } }];
  const blocked = openGuarded({
    library,
    guards: [{ use: 'words', on: ['input'], action: 'block', text: 'No.' }],
    flow,
  });
  const { status } = await blocked.call({ model: 'support', input: 'falcon' }, { surface: 'embeddings' });
  expect([status, blocked.asked]).toEqual([400, []]);
  const redacted = openGuarded({ library, guards: [{ use: 'pii', on: ['input'], action: 'redact' }], flow });
  await redacted.call({ model: 'support', input: [`I am ${MAIL}`, 'x'] }, { surface: 'embeddings' });
  expect(redacted.asked.join()).toContain('I am [EMAIL]');
  expect(redacted.asked.join() + redacted.kept()).not.toContain('ann.lee');
});
