// What operators grant with a key: end users, tags, patterns, limits per minute, a pause; and keys of another system.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Answer } from './support/call.ts';
import { bySecret, SHARED_SECRET } from './support/jwt.ts';
import { readEntry } from './support/log-entry.ts';
import { says } from './support/organization-stack.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

/** Asks a model, so that it takes the longest answer that Messages always say. */
const asks = (text: string) =>
  `flow: [{ callModel: { provider: demo, model: m, accepts: [parameters] } }, { serveOutput: { text: ${text} } }]`;
const FIVE = 'rateLimits: [{ metric: requests, scope: user, limit: 5, period: 1d }]';
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo } }',
  `neuron: acme/limited\naccess: { apiKey: true }\n${FIVE}\n${asks('"Hello {{username}}"')}`,
  `neuron: acme/shared\naccess: { apiKey: true }\n${FIVE}\n${asks('shared')}`,
  `neuron: acme/cached\naccess: { apiKey: true }\ncaching: { exact: true, perUser: true }\nflow: [{ callModel: { provider: demo, model: m } }]`,
  `neuron: acme/shop-web\ntags: { team: shop, tier: gold }\naccess: { apiKey: true }\n${says('web')}`,
  `neuron: acme/shop-app\naccess: { apiKey: true }\nmodels: [gpt-4.1-mini]\n${asks('app')}`,
  `neuron: acme/blog\naccess: { apiKey: true }\n${says('blog')}`,
  `neuron: acme/tiers\naccess: { jwt: { sharedSecret: { secret: issuer }, usernamePath: sub } }\nrateLimits:
  - { metric: requests, scope: user, limit: 2, period: 1d, when: { claim: tier, is: [free, trial] } }
  - { metric: requests, scope: total, limit: 3, period: 1d, when: { claim: "https://example.com/plan", is: [shared] } }
  - { metric: requests, scope: user, limit: 6, period: 1d }
${says('tiers')}`,
].join('\n---\n');

const FOREIGN = 'sk-9vXq2LmZt7RwYb3NcKd8Ge';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Headers = Readonly<Record<string, string | readonly string[]>>;
const VERSION = { 'anthropic-version': '2023-06-01' };

/** Ways to name the end user of a call, by surface. */
const WAYS: Readonly<Record<string, (name: string) => { path: string; body: object; headers?: Headers }>> = {
  chat: (user) => ({
    path: '/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hi' }], user },
  }),
  responses: (user) => ({ path: '/responses', body: { input: 'Hi', user } }),
  messages: (user_id) => ({
    path: '/messages',
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], metadata: { user_id } },
    headers: VERSION,
  }),
  native: (user) => ({ path: '', body: { input: 'Hi', user } }),
  header: (name) => ({
    path: '',
    body: { input: 'Hi' },
    headers: { 'x-end-user': `UTF-8''${encodeURIComponent(name)}` },
  }),
};

describe.runIf(isLocal)('what a key is granted', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, concurrency: 8 });
    await stack.operate(['secrets', 'set', 'acme', 'issuer', '--for', 'jwt'], { input: SHARED_SECRET });
  });
  afterAll(() => stack?.stop());

  const create = async (...words: string[]) =>
    (await stack.operate(['keys', 'create', 'acme', '--name', 'a test', ...words])).trim();
  const call = (neuron: string, key: string, body: object = { input: 'Hi' }, headers: Headers = {}) =>
    stack.call(`/${neuron}`, { json: body, headers: { authorization: `Bearer ${key}`, ...headers } });
  const callAs = (way: string, neuron: string, key: string, name: string): Promise<Answer> => {
    const { path, body, headers } = WAYS[way]!(name);
    const base = path === '' ? `/acme/${neuron}` : `/v1/acme${path}`;
    return stack.call(base, {
      json: { model: neuron, ...body },
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  };
  const statuses = (answers: readonly Answer[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  const errorOf = (answer: Answer) => {
    const { error, code } = answer.json();
    return code ?? (error as { code?: string }).code;
  };

  describe('an end user', () => {
    it('has limits of its own, exactly, however it is named: 60 at once under 5 each', async () => {
      const key = await create('--on-behalf-of');
      const names = {
        chat: 'Ada',
        responses: 'ада',
        messages: '愛'.repeat(256),
        native: 'ada',
        header: 'Jürgen 🎈',
      };
      const sent = Object.entries(names).flatMap(([way, name]) =>
        Array.from({ length: 60 }, () => ({ way, name })),
      );
      const answers = await Promise.all(
        sent.map(async ({ way, name }) => ({ way, answer: await callAs(way, 'limited', key, name) })),
      );
      for (const way of Object.keys(names)) {
        const own = answers.filter((one) => one.way === way).map(({ answer }) => answer);
        expect([way, statuses(own, 200), statuses(own, 429)]).toEqual([way, 5, 55]);
      }
    }, 120_000);

    it('is one over all surfaces, and another one of another key', async () => {
      const [key, other] = [await create('--on-behalf-of'), await create('--on-behalf-of')];
      const answers: Answer[] = [];
      for (const way of [...Object.keys(WAYS), 'chat'])
        answers.push(await callAs(way, 'limited', key, 'mia'));
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
      expect([statuses(answers, 200), statuses(answers, 429)]).toEqual([5, 25]);
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
      expect([answer.status, errorOf(answer)]).toEqual([422, 'invalid_input']);
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
      const cacheOf = async (name: string) =>
        (await callAs('native', 'cached', key, name)).headers['x-cache'];
      expect(await cacheOf('one')).toBe('miss');
      await expect.poll(() => cacheOf('one')).toBe('exact');
      expect(await cacheOf('two')).toBe('miss');
    });
  });

  describe('tags', () => {
    it('of neuron, key and call are in the entry and in usage; the nearest wins', async () => {
      const key = await create('--tag', 'team=web', '--tag', 'cost-center=42', '--tags-from-calls');
      const metadata = { feature: 'search', tier: 'silver', 'not a name': 'x', count: 5 };
      const answer = await call('acme/shop-web', key, { input: 'Hi', metadata });
      expect(answer.headers['x-neuron-left-out']).toBe('unnamed, metadata.count');
      const tags = { 'cost-center': '42', feature: 'search', team: 'web', tier: 'silver' };
      expect(await readEntry(stack, String(answer.headers['x-execution-id']))).toMatchObject({ tags });
      await vi.waitFor(async () => {
        const usage = await stack.operate(['usage', 'acme', '--by', 'tag:feature', '--json']);
        expect(JSON.parse(usage)).toMatchObject({ tag: 'feature', value: 'search' });
      }, 20_000);
      expect(await stack.operate(['usage', 'acme', '--verify'])).toContain('matches its log entries');
    });

    it('of a call count for nothing where the key has no such right', async () => {
      const answer = await call('acme/shop-web', await create(), { input: 'Hi', metadata: { feature: 'x' } });
      expect(answer.headers['x-neuron-left-out']).toBe('metadata');
      const entry = await readEntry<{ tags: object }>(stack, String(answer.headers['x-execution-id']));
      expect(entry.tags).toEqual({ team: 'shop', tier: 'gold' });
    });
  });

  it('patterns let a key in at neurons whose names fit, on both kinds of URLs', async () => {
    const key = await create('--neurons', 'blog,shop-*');
    const chat = async (model: string) =>
      (
        await stack.call('/v1/acme/chat/completions', {
          json: { model, messages: [{ role: 'user', content: 'Hi' }] },
          headers: { authorization: `Bearer ${key}` },
        })
      ).status;
    for (const neuron of ['blog', 'shop-web', 'shop-app'])
      expect([(await call(`acme/${neuron}`, key)).status, await chat(neuron)]).toEqual([200, 200]);
    expect(await chat('gpt-4.1-mini')).toBe(200);
    expect([(await call('acme/limited', key)).status, await chat('limited')]).toEqual([401, 404]);
    const models = await stack.call('/v1/acme/models', {
      method: 'GET',
      headers: { authorization: `Bearer ${key}` },
    });
    const ids = (models.json()['data'] as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(
      ['blog', 'gpt-4.1-mini', 'shop-app', 'shop-web'].toSorted((a, b) => ids.indexOf(a) - ids.indexOf(b)),
    );
    expect(ids).toHaveLength(4);
  });

  it('a limit per minute holds exactly, and ends with the minute', async () => {
    const key = await create('--limit', 'requests 3 minute');
    await vi.waitFor(() => expect(Date.now() % 60_000).toBeLessThan(50_000), {
      timeout: 15_000,
      interval: 200,
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('acme/blog', key)));
    expect([statuses(answers, 200), statuses(answers, 429)]).toEqual([3, 17]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(errorOf(refused)).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  }, 60_000);

  it('a paused key and a paused neuron are 429 with the wait, and go on when resumed', async () => {
    const key = await create();
    const keyId = key.slice(4, 16);
    await stack.operate(['keys', 'pause', 'acme', keyId, '--retry-after', '10m']);
    const paused = await call('acme/blog', key);
    expect([paused.status, errorOf(paused), paused.headers['retry-after']]).toEqual([
      429,
      'key_paused',
      '600',
    ]);
    const models = await stack.call('/v1/acme/models', {
      method: 'GET',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(models.status).toBe(429);
    await stack.operate(['keys', 'resume', 'acme', keyId]);
    expect((await call('acme/blog', key)).status).toBe(200);
    await stack.operate(['pause', 'acme/blog', '--retry-after', '10m']);
    await expect
      .poll(async () => errorOf(await call('acme/blog', key)), { timeout: 20_000 })
      .toBe('neuron_paused');
    expect((await call('acme/shop-app', key)).status).toBe(200);
    await stack.operate(['resume', 'acme/blog']);
    await expect.poll(async () => (await call('acme/blog', key)).status, { timeout: 20_000 }).toBe(200);
  }, 60_000);

  it('a limit with a condition counts callers alone whose token has the claim', async () => {
    const callWith = (claims: object) => call('acme/tiers', bySecret(claims));
    const rounds = async (count: number, claims: object) => {
      const answers = await Promise.all(Array.from({ length: count }, () => callWith(claims)));
      return [statuses(answers, 200), statuses(answers, 429)];
    };
    expect(await rounds(8, { sub: 'ann', tier: 'free' })).toEqual([2, 6]);
    // Another text of the same condition: the same caller.
    expect(await rounds(2, { sub: 'ann', tier: 'trial' })).toEqual([0, 2]);
    expect(await rounds(8, { sub: 'ben', tier: 'trial' })).toEqual([2, 6]);
    // No condition fits: the last rule alone.
    for (const tier of ['pro', 'FREE', ['free'], { free: true }, 1, null, undefined])
      expect((await callWith({ sub: `c-${JSON.stringify(tier)}`, tier })).status).toBe(200);
    expect(await rounds(8, { sub: 'dan', tier: 'pro' })).toEqual([6, 2]);
    const shared = { 'https://example.com/plan': 'shared' };
    const plans = await Promise.all(
      Array.from({ length: 8 }, (_, index) => callWith({ sub: `e${index}`, ...shared })),
    );
    expect([statuses(plans, 200), statuses(plans, 429)]).toEqual([3, 5]);
    const { stdout } = await stack.neuron(['limits', 'acme/tiers', '--user', 'ann']);
    expect(stdout).toContain('user where tier is free or trial');
    const explained = await stack.neuron(['explain', 'acme/tiers', '--token-file', '-'], {
      input: bySecret({ sub: 'ann', tier: 'free' }),
    });
    expect(explained.stdout).toContain('limits for its claim tier hold');
  }, 60_000);

  describe('a key of another system', () => {
    it('works as it is, on every URL and surface, until it is revoked', async () => {
      const file = join(temporaryFolder(), 'keys.jsonl');
      const line = {
        digest: sha256(FOREIGN),
        name: 'the shop',
        limits: ['requests 5 day'],
        neurons: ['gpt-4.1-mini'],
      };
      writeFileSync(file, JSON.stringify(line));
      const listed = await stack.operate(['keys', 'import', 'acme', file, '--expires', '90d', '--json']);
      const { keyId } = JSON.parse(listed) as { keyId: string };
      const answers = [
        await call('acme/shop-app', FOREIGN),
        await stack.call('/v1/acme/chat/completions', {
          json: { model: 'gpt-4.1-mini', messages: [{ role: 'user', content: 'Hi' }] },
          headers: { authorization: `Bearer ${FOREIGN}` },
        }),
        await stack.call('/v1/acme/messages', {
          json: { model: 'gpt-4.1-mini', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
          headers: { 'x-api-key': FOREIGN, ...VERSION },
        }),
        await call('acme/blog', FOREIGN),
        await call('acme/shop-app', `${FOREIGN}x`),
        await call('acme/shop-app', FOREIGN.slice(3)),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 401, 401]);
      const id = String(answers[0]?.headers['x-execution-id']);
      expect(await readEntry(stack, id)).toMatchObject({ keyId, authentication: 'apiKey' });
      const rest = await Promise.all(Array.from({ length: 10 }, () => call('acme/shop-app', FOREIGN)));
      expect(statuses(rest, 200)).toBe(2);
      await stack.operate(['keys', 'revoke', 'acme', keyId]);
      expect((await call('acme/shop-app', FOREIGN)).status).toBe(401);
      expect(stack.output()).not.toContain(FOREIGN);
    });

    it('gives way to one of ours: it is rotated as any other, and both work meanwhile', async () => {
      const file = join(temporaryFolder(), 'keys.jsonl');
      const text = 'sk-Zk4Tn8QyWc2HsLp9Vr6JmX';
      writeFileSync(file, JSON.stringify({ key: text, name: 'the blog', limits: ['requests 4 day'] }));
      const listed = await stack.operate(['keys', 'import', 'acme', file, '--expires', '90d', '--json']);
      const { keyId } = JSON.parse(listed) as { keyId: string };
      const key = (await stack.operate(['keys', 'rotate', 'acme', keyId, '--overlap', '1h'])).trim();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => call('acme/blog', index % 2 ? key : text)),
      );
      expect([statuses(answers, 200), statuses(answers, 429)]).toEqual([4, 6]);
      const { stdout } = await stack.neuron(['keys', 'list', 'acme', '--json']);
      expect(stdout).not.toContain(text);
    });
  });
});
