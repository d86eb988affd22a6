// What a caller gets of an answer or a request that guards block: whole and streamed, by each surface, whatever the order of the guards.
import { describe, expect, it } from 'vitest';
import { deltasOf, leavesOf } from './corpora/answers.ts';
import { openGuarded } from './function.ts';

const library = {
  a: { type: 'patterns', deny: ['falcon'] },
  b: { type: 'patterns', deny: ['falcon', 'kestrel'] },
  c: { type: 'patterns', deny: ['falcon'] },
};
const user = [{ role: 'user', content: 'Hello' }];
const parameters = { type: 'object' };
const tools = [{ type: 'function', function: { name: 'find', parameters } }];
const BODIES = {
  native: { messages: user, tools },
  openai: { model: 'support', messages: user, tools },
  responses: { model: 'support', input: 'Hello', tools: [{ type: 'function', name: 'find', parameters }] },
  anthropic: {
    ...{ model: 'support', max_tokens: 99, messages: user },
    tools: [{ name: 'find', input_schema: parameters }],
  },
} as const;
type Surface = keyof typeof BODIES;
const SURFACES = Object.keys(BODIES) as Surface[];

/** How a run ends that was stopped: whole, and the last of a stream. */
const ENDS: Record<Surface, readonly [whole: RegExp, streamed: RegExp]> = {
  native: [/"executionStopped":true/, /event: result\ndata: \{[^\n]*"executionStopped":true[^\n]*\n\n$/],
  openai: [/"finish_reason":"content_filter"/, /"finish_reason":"content_filter"[\s\S]*data: \[DONE\]\n\n$/],
  responses: [
    /"status":"incomplete"[\s\S]*"reason":"content_filter"/,
    /event: response\.incomplete\n[^\n]*"reason":"content_filter"[^\n]*\n\n$/,
  ],
  anthropic: [/"stop_reason":"refusal"/, /"stop_reason":"refusal"[\s\S]*event: message_stop\n[^\n]*\n\n$/],
};

const block = (use: string, text?: string, on = ['output']) => ({
  ...{ use, on, action: 'block' },
  ...(text === undefined ? {} : { text }),
});

interface Told {
  readonly text: string;
  readonly size?: number;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
}

async function answerOf(guards: readonly object[], told: Told, surface: Surface, stream: boolean) {
  const model = openGuarded({ library, guards }, () => told);
  const json = { ...BODIES[surface], ...(surface === 'native' ? {} : { stream }) };
  const answer = await model.call(json, { surface, stream: surface === 'native' && stream });
  expect([answer.status, model.entries[0]?.outcome]).toEqual([200, 'stopped']);
  expect(answer.text + model.kept()).not.toMatch(/falcon/);
  const type = Object.entries(answer.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  expect(type).toMatch(stream ? /^text\/event-stream/ : /^application\/json/);
  expect(answer.text).toMatch(ENDS[surface][stream ? 1 : 0]);
  return answer.text;
}

describe.each(SURFACES)('an answer that is blocked by %s', (surface) => {
  it.each([1, 4, 100])('is the text of its guard where nothing has left, in pieces of %i', async (size) => {
    const guards = [block('a', 'I cannot say.')];
    const whole = await answerOf(guards, { text: 'falcon, I say' }, surface, false);
    expect(leavesOf(whole)).toContain('I cannot say.');
    const streamed = await answerOf(guards, { text: 'falcon, I say', size }, surface, true);
    expect(deltasOf(surface, streamed)).toEqual(['I cannot say.']);
  });

  it('is what has left, without a text behind it', async () => {
    const told = { text: 'It is a falcon.', size: 3 };
    expect(deltasOf(surface, await answerOf([block('a', 'No.')], told, surface, true))).toEqual(['It is a ']);
  });

  it('is empty where the guard has no text', async () => {
    const told = { text: 'falcon', size: 3 };
    expect(deltasOf(surface, await answerOf([block('a')], told, surface, true))).toEqual(['']);
  });

  it('has no text behind a call that has left', async () => {
    const find = (of: string) => ({ name: 'find', arguments: JSON.stringify({ of }) });
    const told = { text: '', toolCalls: [find('hawk'), find('falcon')] };
    const guards = [block('a', 'I cannot say.')];
    const streamed = await answerOf(guards, told, surface, true);
    expect([streamed.includes('hawk'), streamed.includes('cannot')]).toEqual([true, false]);
    const blocked = await answerOf(guards, { ...told, toolCalls: [find('falcon')] }, surface, true);
    expect(deltasOf(surface, blocked)).toEqual(['I cannot say.']);
  });
});

describe('a stream that is blocked while it holds what may become a placeholder', () => {
  const masked = { ...library, mails: { type: 'pii', entities: ['email'] } };
  const guards = [{ use: 'mails', on: ['input'], action: 'mask' }, block('a', 'No.')];
  const json = { model: 'support', messages: [{ role: 'user', content: 'I am ann@mail.example.com' }] };

  it.each([
    ['a bracket', 'It is [falcon', 'It is ['],
    ['an escaped bracket', 'It is \\[falcon', 'It is \\['],
    ['a name', 'It is [EMAIL_falcon', 'It is [EMAIL_'],
    ['nothing before it', '[falcon', '['],
  ])('ends as stopped, with all that has left: %s', async (_what, text, left) => {
    for (const surface of ['native', 'openai', 'anthropic'] as const) {
      const model = openGuarded({ library: masked, guards }, () => ({ text, size: 1 }));
      const form = { surface, stream: surface === 'native' };
      const own = surface === 'anthropic' ? { max_tokens: 99 } : {};
      const sent = surface === 'native' ? { messages: json.messages } : { ...json, ...own, stream: true };
      const { text: answer } = await model.call(sent, form);
      expect(deltasOf(surface, answer)).toEqual([left]);
      expect(answer).toMatch(ENDS[surface][1]);
      expect(model.entries).toMatchObject([{ outcome: 'stopped', output: { text: left } }]);
    }
  });
});

describe('several guards that block', () => {
  const MANY = [block('a', 'Of a.'), block('b', 'Of b.'), block('a', 'Also of a.')];
  const orders = (list: readonly object[]): readonly (readonly object[])[] =>
    list.length < 2
      ? [list]
      : list.flatMap((one) => orders(list.filter((other) => other !== one)).map((rest) => [one, ...rest]));

  it.each([
    ['a text', { text: 'falcon', size: 2 }],
    ['a call', { text: '', toolCalls: [{ name: 'find', arguments: '{"of":"falcon"}' }] }],
  ])('have one text in any order: of %s', async (_, told) => {
    for (const guards of orders(MANY)) {
      expect(leavesOf(await answerOf(guards, told, 'native', false))).toContain('Also of a.');
      expect(deltasOf('native', await answerOf(guards, told, 'native', true))).toEqual(['Also of a.']);
    }
    for (const guards of orders([...MANY, block('c')])) {
      expect(await answerOf(guards, told, 'native', false)).not.toContain('Of');
      expect(deltasOf('native', await answerOf(guards, told, 'native', true))).toEqual(['']);
    }
  });

  it('make a request an error where one of them has no text, in any order', async () => {
    const ofInput = [block('a', 'Of a.', ['input']), block('b', 'Of b.', ['input'])];
    const statusOf = async (guards: readonly object[], input: string) => {
      const { status, text } = await openGuarded({ library, guards }).call({ input });
      return [status, JSON.parse(text).output ?? JSON.parse(text).code];
    };
    for (const guards of orders(ofInput)) expect(await statusOf(guards, 'falcon')).toEqual([200, 'Of a.']);
    for (const guards of orders([...ofInput, block('c', undefined, ['input'])])) {
      expect(await statusOf(guards, 'falcon')).toEqual([422, 'guard_blocked']);
      expect(await statusOf(guards, 'kestrel')).toEqual([200, 'Of b.']);
    }
  });
});
