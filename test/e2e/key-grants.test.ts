// What operators grant with a key: tags, patterns, limits per minute, a pause; and keys of another system.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeOf, countOf, startGranted, VERSION } from './support/granted.ts';
import { bySecret } from './support/jwt.ts';
import { readEntry } from './support/log-entry.ts';
import { isLocal, type Stack } from './support/stack.ts';

const FOREIGN = 'sk-9vXq2LmZt7RwYb3NcKd8Ge';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.runIf(isLocal)('what a key is granted', () => {
  let run: Awaited<ReturnType<typeof startGranted>>;
  let stack: Stack;
  beforeAll(async () => {
    run = await startGranted();
    ({ stack } = run);
  });
  afterAll(() => stack?.stop());

  const create = (...words: string[]) => run.create(...words);
  const call = (...parts: Parameters<typeof run.call>) => run.call(...parts);

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
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([3, 17]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(codeOf(refused)).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('a paused key and a paused neuron are 429 with the wait, and go on when resumed', async () => {
    const key = await create();
    const keyId = key.slice(4, 16);
    await stack.operate(['keys', 'pause', 'acme', keyId, '--retry-after', '10m']);
    const paused = await call('acme/blog', key);
    expect([paused.status, codeOf(paused), paused.headers['retry-after']]).toEqual([
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
      .poll(async () => codeOf(await call('acme/blog', key)), { timeout: 20_000 })
      .toBe('neuron_paused');
    expect((await call('acme/shop-app', key)).status).toBe(200);
    await stack.operate(['resume', 'acme/blog']);
    await expect.poll(async () => (await call('acme/blog', key)).status, { timeout: 20_000 }).toBe(200);
  });

  it('a limit with a condition counts callers alone whose token has the claim', async () => {
    const callWith = (claims: object) => call('acme/tiers', bySecret(claims));
    const rounds = async (count: number, claims: object) => {
      const answers = await Promise.all(Array.from({ length: count }, () => callWith(claims)));
      return [countOf(answers, 200), countOf(answers, 429)];
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
    expect([countOf(plans, 200), countOf(plans, 429)]).toEqual([3, 5]);
    const { stdout } = await stack.neuron(['limits', 'acme/tiers', '--user', 'ann']);
    expect(stdout).toContain('user where tier is free or trial');
    const explained = await stack.neuron(['explain', 'acme/tiers', '--token-file', '-'], {
      input: bySecret({ sub: 'ann', tier: 'free' }),
    });
    expect(explained.stdout).toContain('limits for its claim tier hold');
  });

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
      expect(countOf(rest, 200)).toBe(2);
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
      expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([4, 6]);
      const { stdout } = await stack.neuron(['keys', 'list', 'acme', '--json']);
      expect(stdout).not.toContain(text);
    });
  });
});
