// JWTs by JWKS over real HTTP, against endpoints over TLS that rotate their keys, fail in every way, or are one of several.
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, CA_FILE, type JwksServer, startJwksServer } from '../support/jwks-server.ts';
import { expectError, expectRaw } from './support/expect-answer.ts';
import { byKey, callWith, jwtNeuron, published, settingsOf } from './support/jwt.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

/** Of the stage `local`: the lower bound of the setting. */
const TTL_MS = 5_000;

const GOOD = [published('one'), published('two')];
const FAILURES: Readonly<Record<string, Behaviour>> = {
  stalls: 'stall',
  trickles: 'trickle',
  errs: { status: 500, keys: GOOD },
  announces: '200 MB announced',
  floods: '200 MB sent',
  bombs: 'gzip bomb',
  redirects: { redirectTo: '/good' },
  garbles: { text: 'not JSON at all' },
  lists: { text: JSON.stringify(GOOD) },
  'hangs-up': 'hang up',
  crowds: { keys: Array.from({ length: 51 }, () => published('one')) },
};
const SETS: Readonly<Record<string, readonly unknown[]>> = {
  good: GOOD,
  empty: [],
  twins: [published('three', { kid: 'one' }), published('one'), published('two', { kid: 'one' })],
  nameless: [published('one', { kid: undefined }), published('two', { kid: undefined })],
  mixed: [
    { kty: 'RSA', kid: 'one', n: 'x', e: 'AQAB' },
    null,
    'key',
    published('one', { use: 'enc' }),
    published('one'),
    { kty: 'oct', k: 'AA' },
  ],
  secret: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'one', alg: 'ES256' }],
};

describe.runIf(isLocal)('a neuron with JWKS', () => {
  let server: JwksServer;
  let stack: Stack;

  beforeAll(async () => {
    server = await startJwksServer();
    for (const [name, behaviour] of Object.entries(FAILURES)) server.answer(`/${name}`, behaviour);
    for (const [name, keys] of Object.entries(SETS)) server.answer(`/${name}`, { keys });
    server.answer('/rotating', { keys: GOOD });
    const jwks = (...paths: string[]) => ({ jwks: paths.map((path) => server.url(`/${path}`)) });
    stack = await startStack({
      ca: CA_FILE,
      concurrency: 1,
      settings: settingsOf(
        ...Object.keys({ ...FAILURES, ...SETS, rotating: 1 }).map((path) => jwtNeuron(path, jwks(path))),
        ...Object.keys(FAILURES).map((path) => jwtNeuron(`${path}-first`, jwks(path, 'good'))),
        jwtNeuron('ordered', jwks('empty', 'good')),
        jwtNeuron('limited', { ...jwks('good'), algorithms: ['RS256'] }),
      ),
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await server?.stop();
  });

  const call = (slug: string, token: string) => callWith(stack, slug, token);
  const asked = (path: string) => server.asked.filter((one) => one === `/${path}`).length;

  it('lets in by any key of the set, with one fetch for many calls', async () => {
    for (const token of [byKey('one'), byKey('two'), byKey('one', { sub: 'eve' })]) {
      expect((await call('good', token)).status).toBe(200);
    }
    expectRaw(await call('good', byKey('one', { sub: 'Grace Hopper' })), 'Grace Hopper');
    expect(asked('good')).toBe(1);
  });

  it('refuses keys that are not in the set, kids of other keys, and algorithms that are not listed', async () => {
    for (const token of [
      byKey('three'),
      byKey('three', {}, { kid: 'one' }),
      byKey('one', {}, { kid: 'two' }),
    ]) {
      expectError(await call('good', token), 401, 'unauthorized');
    }
    expectError(await call('limited', byKey('one')), 401, 'unauthorized');
    expectRaw(await call('limited', byKey('two')), 'ada');
    expectError(await call('empty', byKey('one')), 401, 'unauthorized');
    expectError(await call('secret', byKey('one')), 401, 'unauthorized');
  });

  it('finds the key among others of its kid, without a kid, and beside keys that cannot be used', async () => {
    for (const name of ['one', 'two', 'three'] as const) {
      expectRaw(await call('twins', byKey(name, {}, { kid: 'one' })), 'ada');
    }
    for (const name of ['one', 'two'] as const) {
      expectRaw(await call('nameless', byKey(name, {}, { kid: undefined })), 'ada');
      expectError(await call('nameless', byKey(name)), 401, 'unauthorized');
      expectRaw(await call('good', byKey(name, {}, { kid: undefined })), 'ada');
    }
    expectRaw(await call('mixed', byKey('one')), 'ada');
    expectRaw(await call('ordered', byKey('two')), 'ada');
  });

  it.each(Object.keys(FAILURES))(
    'answers 503 while its only endpoint %s, and lets in by a second one',
    async (path) => {
      const before = asked(path);
      expectError(await call(path, byKey('one')), 503, 'dependency_unavailable');
      expectRaw(await call(`${path}-first`, byKey('one')), 'ada');
      // Left alone for a second after its failure; a machine that is busy may take longer between the two calls.
      expect(asked(path)).toBeLessThanOrEqual(before + 2);
      expectError(await call(`${path}-first`, byKey('three')), 401, 'unauthorized');
    },
  );

  it('takes a new key as soon as its endpoint has it, and an old one no longer than the stage says', async () => {
    expectRaw(await call('rotating', byKey('one')), 'ada');
    server.answer('/rotating', { keys: [published('two'), published('three')] });
    await wait(TTL_MS + 100);
    expectError(await call('rotating', byKey('one')), 401, 'unauthorized');
    expectRaw(await call('rotating', byKey('two')), 'ada');
    expectRaw(await call('rotating', byKey('three')), 'ada');
    server.answer('/rotating', { status: 503 });
    await wait(TTL_MS + 100);
    // The last set stands in while the endpoint fails.
    expectRaw(await call('rotating', byKey('three')), 'ada');
    // A key that it lacks may be there by now, and nobody can say.
    expectError(await call('rotating', byKey('one')), 503, 'dependency_unavailable');
    server.answer('/rotating', { keys: GOOD });
    await expect.poll(async () => (await call('rotating', byKey('one'))).status).toBe(200);
    expectError(await call('rotating', byKey('three')), 401, 'unauthorized');
  });

  it('answers a thousand tokens of unknown keys with 401, and asks its endpoint once in five seconds at most', async () => {
    const before = asked('good');
    const began = Date.now();
    for (let number = 0; number < 1_000; number += 1) {
      const answer = await call('good', byKey('one', {}, { kid: `unknown-${number}` }));
      if (answer.status !== 401) expectError(answer, 401, 'unauthorized');
    }
    const periods = (Date.now() - began) / TTL_MS;
    expect(asked('good') - before).toBeLessThanOrEqual(Math.ceil(periods) + 1);
    expectRaw(await call('good', byKey('one')), 'ada');
  });
});

describe.runIf(isLocal)('without the hook of the local run', () => {
  it('connects to no JWKS endpoint of this machine, by whatever name', async () => {
    const server = await startJwksServer();
    server.answer('/good', { keys: GOOD });
    const hosts = ['localhost', '127.0.0.1', '[::1]'];
    const neurons = hosts.map((host, index) =>
      jwtNeuron(`n${index}`, { jwks: [`https://${host}:${server.port}/good`] }),
    );
    const stack = await startStack({ ca: CA_FILE, loopback: false, settings: settingsOf(...neurons) });
    for (const index of hosts.keys()) {
      expectError(await callWith(stack, `n${index}`, byKey('one')), 503, 'dependency_unavailable');
    }
    expect(server.asked).toEqual([]);
    await stack.stop();
    await server.stop();
  });
});
