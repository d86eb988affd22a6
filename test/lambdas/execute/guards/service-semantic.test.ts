// Answers to similar texts, and guards by services: nothing is looked up by meaning before they have spoken.
import { expect, it } from 'vitest';
import { DIMENSIONS } from '../../../../core/cache/embed.ts';
import { openGuarded, type Told, textOf } from './function.ts';
import { answerWith, BLOCK, PASS, received, toServer, webhook } from './one-service.ts';

const embedding = Array.from({ length: DIMENSIONS }, (_, index) => (index === 0 ? 1 : 0.01));
const VECTOR = {
  object: 'list',
  data: [{ index: 0, embedding }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

/** A neuron whose texts are all alike. */
function open(action: string, answer: (asked: string) => Told) {
  const semantic = { embedding: { provider: 'model', model: 'e' }, allowPublic: true };
  const guarded = openGuarded(
    {
      library: { ours: webhook() },
      guards: [{ use: 'ours', on: ['input'], action }],
      settings: { caching: { exact: true, semantic } },
      guardHttp: toServer,
    },
    (asked) => (asked.includes('"encoding_format"') ? { body: VECTOR } : answer(asked)),
  );
  const models = () => guarded.asked.filter((body) => body.includes('"messages"')).length;
  const vectors = () => guarded.asked.length - models();
  return { ...guarded, models, vectors };
}

it.each([false, true])(
  'a similar text is judged before an answer is served, streamed: %s',
  async (stream) => {
    const { call, models, vectors } = open('block', () => ({ text: 'Sunny.' }));
    answerWith(({ body }) => (body.includes('pretty') ? BLOCK : PASS));
    await call({ input: 'How is the weather today' }, { stream });
    const before = received().length;
    const hit = await call({ input: 'How is the weather here today' }, { stream });
    expect([textOf(hit.text), hit.text.includes('"fromCache":true'), models()]).toEqual(['Sunny.', true, 1]);
    expect([received().length - before, vectors()]).toEqual([1, 2]);
    const blocked = await call({ input: 'How is the pretty weather today' }, { stream });
    expect([blocked.status, blocked.text.includes('Sunny')]).toEqual([422, false]);
    // Nor has a model made a vector of it.
    expect([models(), vectors()]).toEqual([1, 2]);
  },
);

it('a text with something masked is looked up by meaning nowhere', async () => {
  const { call, models, vectors, kept } = open('mask', (asked) => ({
    text: `For ${/\[OURS_[A-Z2-7]+\]/.exec(asked)?.[0] ?? 'nobody'}.`,
  }));
  answerWith(({ body }) => {
    const { text } = JSON.parse(body).texts[0];
    const start = text.indexOf('for ') + 4;
    const finds = [{ type: 'NAME', text: 0, start, end: start + 3 }];
    return { status: 200, body: { verdict: 'block', finds } };
  });
  expect(textOf((await call({ input: 'A poem for Ann please' })).text)).toBe('For Ann.');
  expect(textOf((await call({ input: 'A poem for Bob please' })).text)).toBe('For Bob.');
  expect(textOf((await call({ input: 'My poem for Ann please' })).text)).toBe('For Ann.');
  expect([models(), vectors()]).toEqual([3, 0]);
  expect(kept()).not.toMatch(/Ann|Bob/);
});
