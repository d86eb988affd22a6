// End users of a trusted back end: each with limits, answers and entries of its own, however it is named.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Answer } from './support/call.ts';
import { codeOf, countOf, startGranted, WAYS } from './support/granted.ts';
import { readEntry } from './support/log-entry.ts';
import { untilServed } from './support/served.ts';
import { isLocal, type Stack } from './support/stack.ts';

describe.runIf(isLocal)('an end user', () => {
  let run: Awaited<ReturnType<typeof startGranted>>;
  let stack: Stack;
  beforeAll(async () => {
    run = await startGranted();
    ({ stack } = run);
  });
  afterAll(() => stack?.stop());

  const create = (...words: string[]) => run.create(...words);
  const call = (...parts: Parameters<typeof run.call>) => run.call(...parts);
  const callAs = (...parts: Parameters<typeof run.callAs>) => run.callAs(...parts);

  it('has limits of its own, exactly, however it is named: 60 at once under 5 each', async () => {
    const key = await create('--on-behalf-of');
    const names = {
      chat: 'Ada',
      responses: 'ада',
      messages: '愛'.repeat(256),
      native: 'ada',
      header: 'Jürgen 🎈',
    };
    // One name after the other: 300 calls at once are more than eight environments of the authorizer take a second.
    for (const [way, name] of Object.entries(names)) {
      const sent = Array.from({ length: 60 }, () =>
        untilServed(
          () => callAs(way, 'limited', key, name),
          ({ status }) => status,
        ),
      );
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      const counts = {
        way,
        200: statuses.filter((status) => status === 200).length,
        others: [...new Set(statuses)].sort(),
      };
      expect(counts).toEqual({ way, 200: 5, others: [200, 429] });
    }
  }, 120_000);

  it('is one over all surfaces, and another one of another key', async () => {
    const [key, other] = [await create('--on-behalf-of'), await create('--on-behalf-of')];
    const answers: Answer[] = [];
    for (const way of [...Object.keys(WAYS), 'chat']) answers.push(await callAs(way, 'limited', key, 'mia'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await callAs('chat', 'limited', other, 'mia')).status).toBe(200);
    expect((await callAs('chat', 'limited', key, 'Mia')).status).toBe(200);
    // The model sees the name as the back end said it.
    expect((await callAs('native', 'limited', other, 'mia')).json()).toMatchObject({ output: 'Hello mia' });
  });

  it('cannot be named by a key without the right: all its calls are of one caller', async () => {
    const key = await create();
    const sent = Object.keys(WAYS).flatMap((way) =>
      Array.from({ length: 6 }, (_, index) => ({ way, name: `u${index}` })),
    );
    const answers = await Promise.all(sent.map(({ way, name }) => callAs(way, 'shared', key, name)));
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([5, 25]);
    // A name that is none is nothing either.
    const wrong = await call('acme/blog', key, { input: 'Hi', user: '' }, { 'x-end-user': ['a', 'b'] });
    expect(wrong.status).toBe(200);
  });

  it.each([
    ['empty', { user: '' }, {}],
    ['257 characters', { user: 'ä'.repeat(257) }, {}],
    ['a control character', { user: 'a\u0000b' }, {}],
    ['half a character', { user: '\ud83c' }, {}],
    ['a number', { user: 7 }, {}],
    ['a list', { user: ['ada'] }, {}],
    ['two headers', {}, { 'x-end-user': ['ada', 'ada'] }],
    ['a header that is not well encoded', {}, { 'x-end-user': "UTF-8''%E2%82" }],
    ['a header that is encoded control', {}, { 'x-end-user': "UTF-8''%0A" }],
  ])('is refused where its name is none: %s', async (_what, body, headers) => {
    const key = await create('--on-behalf-of');
    const answer = await call('acme/blog', key, { input: 'Hi', ...body }, headers);
    expect([answer.status, codeOf(answer)]).toEqual([422, 'invalid_input']);
    expect(answer.text).toContain('end user');
  });

  it('is in the log, in usage and in limits under its key, and nobody else is', async () => {
    const key = await create('--on-behalf-of');
    const username = `nrn_${key.slice(4, 16)}/zoë`;
    const answer = await callAs('header', 'limited', key, 'zoë');
    const id = String(answer.headers['x-execution-id']);
    expect(await readEntry(stack, id)).toMatchObject({ username, keyId: key.slice(4, 16) });
    const { stdout } = await stack.neuron(['limits', 'acme/limited', '--user', username, '--json']);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ used: 1, remaining: 4 });
    await vi.waitFor(async () => {
      const usage = await stack.operate(['usage', 'acme', '--by', 'username', '--json']);
      expect(usage).toContain(`"username":${JSON.stringify(username)}`);
    }, 20_000);
    // A name that counts is no member without effect.
    const named = await callAs('chat', 'limited', key, 'zoë');
    expect(named.headers).not.toHaveProperty('x-neuron-left-out');
    const ignored = await callAs('chat', 'blog', await create(), 'zoë');
    expect(ignored.headers['x-neuron-left-out']).toBe('user');
  });

  it('gets no answer from the cache that another one has', async () => {
    const key = await create('--on-behalf-of');
    const cacheOf = async (name: string) => (await callAs('native', 'cached', key, name)).headers['x-cache'];
    expect(await cacheOf('one')).toBe('miss');
    await expect.poll(() => cacheOf('one')).toBe('exact');
    expect(await cacheOf('two')).toBe('miss');
  });
});
