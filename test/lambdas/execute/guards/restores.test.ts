// Masked values come back where their own guard says so, and nowhere else; and JSON within a text hides nothing by its escapes.
import { describe, expect, it } from 'vitest';
import { openGuarded } from './function.ts';

const MAIL = 'ann.lee@mail.example.com';
const CARD = '4111 1111 1111 1111';
const library = {
  mails: { type: 'pii', entities: ['email'] },
  cards: { type: 'pii', entities: ['card'] },
  secrets: { type: 'secrets' },
};
const tools = [{ type: 'function', function: { name: 'pay', parameters: { type: 'object' } } }];
const mask = (use: string, restore: readonly string[]) => ({ use, on: ['input'], action: 'mask', restore });
const SURFACES = ['native', 'openai', 'responses', 'anthropic'] as const;
const WAYS = SURFACES.flatMap((surface) => [false, true].map((stream) => [surface, stream] as const));

/** What the caller gets of a model that repeats both placeholders in its text and in a call: the first time, and from its key. */
async function answersOf(guards: readonly object[], surface: (typeof SURFACES)[number], stream: boolean) {
  const model = openGuarded({ library, guards }, (asked) => {
    const [mail, card] = [/\[EMAIL_\w+\]/, /\[CARD_\w+\]/].map((one) => one.exec(asked)?.[0]);
    const call = { name: 'pay', arguments: JSON.stringify({ to: mail, card }) };
    return { text: `To ${mail} with ${card}.`, toolCalls: [call], size: 3 };
  });
  const content = `I am ${MAIL}, my card is ${CARD}`;
  const messages = [{ role: 'user', content }];
  const json = {
    native: { input: content, tools },
    openai: { model: 'support', messages, tools, stream },
    responses: {
      model: 'support',
      input: content,
      tools: [{ ...tools[0]?.function, type: 'function' }],
      stream,
    },
    anthropic: {
      ...{ model: 'support', max_tokens: 99, messages, stream },
      tools: [{ name: 'pay', input_schema: { type: 'object' } }],
    },
  }[surface];
  const form = { surface, stream: surface === 'native' && stream, idempotencyKey: 'one' };
  const answers = [await model.call(json, form), await model.call(json, form)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(model.asked).toHaveLength(1);
  expect(model.asked[0] + model.kept()).not.toMatch(/ann\.lee|4111/);
  return answers.map(({ text }) => joined(text));
}

/** Pieces of streams as one text. */
function joined(answer: string): string {
  const pieces = [...answer.matchAll(/"(?:text|content|delta|partial_json|arguments)":("(?:[^"\\]|\\.)*")/g)];
  return answer + pieces.map(([, piece = '""']) => JSON.parse(piece) as string).join('');
}

describe.each(WAYS)('by %s, streamed: %s, a masked value', (surface, stream) => {
  it('comes back in calls of tools where its own guard says so, not where another does', async () => {
    const guards = [mask('mails', ['output', 'toolCalls']), mask('cards', ['output'])];
    for (const answer of await answersOf(guards, surface, stream)) {
      expect(answer).toContain(`To ${MAIL} with ${CARD}.`);
      expect(answer).toMatch(/to\\*":\\*"ann\.lee@mail/);
      expect(answer).toMatch(/card\\*":\\*"\[CARD_/);
      expect(answer).not.toMatch(/card\\*":\\*"4111/);
    }
  });

  it('comes back in no text where its guard does not say so', async () => {
    const guards = [mask('mails', []), mask('cards', ['toolCalls'])];
    for (const answer of await answersOf(guards, surface, stream)) {
      expect(answer).toMatch(/To \[EMAIL_\w+\] with \[CARD_\w+\]\./);
      expect(answer).not.toContain('ann.lee');
      expect(answer).toMatch(/card\\*":\\*"4111/);
      expect(answer).not.toMatch(/with 4111|KEPT/);
    }
  });
});

it('that two guards mask comes back where both say so', async () => {
  const both = [mask('mails', ['output', 'toolCalls']), mask('mails', ['output'])];
  for (const guards of [both, both.toReversed()])
    for (const answer of await answersOf([...guards, mask('cards', [])], 'openai', false)) {
      expect(answer).toContain(`To ${MAIL} with [CARD_`);
      expect(answer).toMatch(/to\\*":\\*"\[EMAIL_/);
    }
});

describe('JSON within a text', () => {
  const guards = ['mails', 'secrets'].map((use) => ({ use, on: ['input', 'toolResults'], action: 'redact' }));
  const call = { id: 'a', type: 'function', function: { name: 'pay', arguments: '{}' } };
  const resultOf = (content: unknown) => ({
    tools,
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content },
    ],
  });
  const mail = '{"to":"ann.lee\\u0040mail.example.com"}';
  const url = '{"at":"https:\\/\\/bob:hunter2-hunter2@localhost"}';

  it.each([
    ['a result', (text: string) => resultOf(text)],
    ['a part of a result', (text: string) => resultOf([{ type: 'text', text }])],
    ['an input', (text: string) => ({ input: text })],
    [
      'a system text',
      (content: string) => ({
        messages: [
          { role: 'system', content },
          { role: 'user', content: 'x' },
        ],
      }),
    ],
  ])('hides nothing by its escapes: in %s', async (where, jsonOf) => {
    for (const text of where === 'a system text' ? [mail] : [mail, url]) {
      const model = openGuarded({ library, guards });
      const { status } = await model.call(jsonOf(text));
      expect([status, model.asked.length]).toEqual([200, 1]);
      expect(model.asked[0] + model.kept()).not.toMatch(/ann\.lee|hunter2/);
      expect(model.asked[0]).toMatch(/\{\\"to\\":\\"\[EMAIL\]\\"\}|\{\\"at\\":\\"\[SECRET\]/);
    }
  });

  it('is sent as it is written where nothing is found', async () => {
    const text = '{"a":"1\\/2\\u0041 \\u00e9"}';
    const model = openGuarded({ library, guards });
    await model.call(resultOf(text));
    expect(model.asked[0]).toContain(JSON.stringify(text));
  });
});
