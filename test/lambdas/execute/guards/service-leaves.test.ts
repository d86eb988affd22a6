// Callers that leave, and functions whose time is up, while a guard by a service still thinks.
import { expect, it } from 'vitest';
import { openGuarded } from './function.ts';
import { answerWith, BLOCK, PASS, toServer, webhook } from './one-service.ts';

const PRICES = { timeout: '10s', prices: { call: 0.001 } };

/** A neuron whose guard answers when it is told to. */
function open(on: string, settings: object = {}) {
  const guarded = openGuarded(
    {
      library: { ours: webhook('/ours', PRICES) },
      guards: [{ use: 'ours', on: [on], action: 'block' }],
      settings,
      prices: { 'model/m': { input: 1, output: 1 } },
      usageLimits: [{ metric: 'cost', limit: 1, period: 'day' }],
      guardHttp: async (request) => {
        asked.resolve();
        await told.promise;
        return toServer(request);
      },
    },
    () => ({ text: 'A secret answer.' }),
  );
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const takenOf = () => [...guarded.counters.states.values()].map(({ counts }) => counts.cost?.taken);
  return { ...guarded, guardAsked: asked.promise, tell: told.resolve, takenOf };
}

it.each([
  ['passes', PASS, 'success'],
  ['stops', BLOCK, 'stopped'],
])(
  'a stream that nobody reads is judged to its end where the guard %s it',
  async (_name, answer, outcome) => {
    answerWith(() => answer);
    const { begin, guardAsked, tell, clock, entries, takenOf } = open('output');
    const { served } = begin({ input: 'Hello' }, { stream: true });
    await guardAsked;
    await clock.advance(5_000);
    const { body, ...rest } = (await served).answer();
    if (typeof body === 'string') throw new Error(`no stream: ${JSON.stringify(rest)}`);
    body.destroy();
    tell();
    await (await served).finish();
    expect(entries).toMatchObject([{ outcome, tokensOutput: 5, costMicrodollars: 1_015 }]);
    expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', stage: 'output', finds: [] }]);
    expect(entries[0]?.guards?.[0]).not.toHaveProperty('notJudged');
    expect(takenOf()).toEqual([1_015]);
  },
);

it('a request whose time is up calls no model when the guard passes it at last, and books the question', async () => {
  answerWith(() => PASS);
  const { begin, guardAsked, tell, asked, entries, takenOf } = open('input');
  const { served, timeout } = begin({ input: 'Hello' });
  await guardAsked;
  timeout.abort();
  tell();
  const ended = await served;
  expect(ended.answer().status).toBe(503);
  await ended.finish();
  expect(asked).toEqual([]);
  expect(entries).toMatchObject([{ status: 503, code: 'deadline_exceeded', costMicrodollars: 1_000 }]);
  expect(takenOf()).toEqual([1_000]);
});

it('a run past its deadline leaves the guard, calls no model and books the most', async () => {
  answerWith(() => PASS);
  const { begin, guardAsked, asked, clock, entries, takenOf } = open('input', { deadline: '3s' });
  const { served } = begin({ input: 'Hello' });
  await guardAsked;
  await clock.advance(3_000);
  const ended = await served;
  await ended.finish();
  expect([ended.answer().status, asked]).toEqual([503, []]);
  expect(entries).toMatchObject([{ status: 503, code: 'deadline_exceeded', costMicrodollars: 1_000 }]);
  expect(entries[0]?.guards).toMatchObject([{ guard: 'ours', notJudged: 'deadline_exceeded' }]);
  expect(takenOf()).toEqual([1_000]);
});
