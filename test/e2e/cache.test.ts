// The response cache over HTTP: exact and semantic, who shares what, what ends an answer, and what is checked before one is served.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AccessStack, plantKey, readNeuron, startAccessStack } from './support/access-stack.ts';
import { cacheSettings } from './support/cache-settings.ts';
import type { Answer } from './support/call.ts';
import { expectCommonHeaders, expectError } from './support/expect-answer.ts';
import { bySecret, SHARED_SECRET } from './support/jwt.ts';
import { type ScriptedModels, startScriptedModels } from './support/scripted-models.ts';
import { settled } from './support/served.ts';
import { applySettings } from './support/settings.ts';
import { ENGINE, isLocal } from './support/stack.ts';
import { dumpTable, findEntry, outputOf } from './support/tables.ts';

describe.runIf(isLocal && ENGINE === 'dynoxide')('the response cache', () => {
  let models: ScriptedModels;
  let run: AccessStack;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    models = await startScriptedModels();
    // One environment: the next call begins when the writes of the last one are done.
    run = await startAccessStack({ settings: cacheSettings(models.baseUrl), concurrency: 1 });
    await run.stack.operate(['secrets', 'set', 'acme', 'cache-jwt', '--for', 'jwt'], {
      input: SHARED_SECRET,
    });
    for (const slug of ['acme', 'other']) {
      const { organization } = await readNeuron(run.store, slug, 'exact');
      keys[slug] = (await plantKey(run.keys, organization.id)).key;
    }
  });
  afterAll(async () => {
    await run?.stop();
    await models?.stop();
  });

  // Every try asks questions of its own, whatever an earlier one left in the cache.
  let round = 0;
  beforeEach(() => {
    round += 1;
  });
  const call = (path: string, input: string, headers: Record<string, string> = {}) =>
    settled(run.stack.call(`/${path}`, { json: { input: `${round}. ${input}` }, headers }));
  /** With the API key of the neuron's organization. */
  const ask = (path: string, input: string) =>
    call(path, input, { authorization: `Bearer ${keys[path.split('/')[0] ?? '']}` });
  const askAs = (user: string, path: string, input: string) =>
    call(path, input, { authorization: `Bearer ${bySecret({ sub: user })}` });
  const cacheOf = (answer: Answer) => {
    expect(answer.status).toBe(200);
    return answer.headers['x-cache'];
  };
  const outputOfAnswer = (answer: Answer) => String(answer.json()['output']);
  const entryOf = async (answer: Answer) => {
    const id = String(answer.headers['x-execution-id']);
    await expect.poll(() => findEntry(run, id), { message: `the entry of ${id}` }).toBeDefined();
    return { ...(await findEntry(run, id)) };
  };

  it('answers the second call from the first, without tokens and cost, and with the headers of every answer', async () => {
    const first = await ask('acme/keyed', 'Hello');
    const second = await ask('acme/keyed', 'Hello');
    expect([cacheOf(first), cacheOf(second)]).toEqual(['miss', 'exact']);
    expect(second.json()).toEqual({ ...first.json(), fromCache: true });
    expect(first.json()['fromCache']).toBe(false);
    expectCommonHeaders(second);
    const figures = ({ headers }: Answer) =>
      ['x-cost-microdollars', 'x-tokens-input', 'x-tokens-output', 'x-execution-stopped'].map(
        (name) => headers[name],
      );
    // 10 × $3 and 5 × $15 per million.
    expect(figures(first)).toEqual(['105', '10', '5', 'false']);
    expect(figures(second)).toEqual(['0', '0', '0', 'false']);
    expect(await entryOf(second)).toMatchObject({
      cache: 'exact',
      cacheSource: first.headers['x-execution-id'],
      tokensInput: 0,
      costMicrodollars: 0,
      savingsMicrodollars: 105,
      // At least the API request, two runs and the writes of the entry: 3,500 + 400 + 1,875.
      infrastructureNanodollars: expect.toSatisfy(
        (charges) => Number.isSafeInteger(charges) && charges > 5_775,
      ),
      modelCalls: [],
    });
  });

  it('says hit to callers without a receipt, raw or not', async () => {
    expect(cacheOf(await call('acme/exact', 'raw'))).toBe('miss');
    const raw = await call('acme/exact?rawOutput=1', 'raw');
    expect(cacheOf(raw)).toBe('hit');
    expect(raw.text).toMatch(/^run \d+: \d+\. raw$/);
    expect(cacheOf(await call('acme/plain', 'raw'))).toBe('off');
  });

  it('neither reads nor writes past bypassCache', async () => {
    const first = await call('acme/exact', 'bypassed');
    const past = await call('acme/exact?bypassCache=true', 'bypassed');
    const after = await call('acme/exact', 'bypassed');
    expect([first, past, after].map(cacheOf)).toEqual(['miss', 'bypass', 'hit']);
    expect(outputOfAnswer(past)).not.toBe(outputOfAnswer(first));
    expect(outputOfAnswer(after)).toBe(outputOfAnswer(first));
    expect(cacheOf(await call('acme/exact?bypassCache=1', 'never kept'))).toBe('bypass');
    expect(cacheOf(await call('acme/exact', 'never kept'))).toBe('miss');
  });

  it.each(['please stop', 'a cut text', 'a split'])(
    'keeps no answer that is not whole and for all: %s',
    async (input) => {
      expect(cacheOf(await call('acme/ends', 'whole'))).toMatch(/miss|hit/);
      expect(cacheOf(await call('acme/ends', 'whole'))).toBe('hit');
      expect(cacheOf(await call('acme/ends', input))).toBe('miss');
      expect(cacheOf(await call('acme/ends', input))).toBe('miss');
    },
  );

  it('answers a paraphrase semantically, pays for its embedding, and logs how far it was', async () => {
    const first = await ask('acme/semantic', 'How do I reset my password?');
    const near = await ask('acme/semantic', 'How can I set a new password ~~');
    expect([first, near].map(cacheOf)).toEqual(['miss', 'semantic']);
    expect(near.json()).toEqual({ ...first.json(), fromCache: true });
    expect(near.headers['x-tokens-input']).toBe('4');
    const entry = await entryOf(near);
    expect(entry).toMatchObject({
      cache: 'semantic',
      cacheSource: first.headers['x-execution-id'],
      // 4 tokens at $1 per million.
      costMicrodollars: 4,
      savingsMicrodollars: 105,
      modelCalls: [{ provider: 'models', model: 'e', finish: 'embedding', tokensInput: 4 }],
    });
    expect(entry['cacheDistance']).toBeCloseTo(1 - Math.cos((10 * Math.PI) / 180), 5);
    expect(near.text).not.toContain('distance');
  });

  it('runs the flow below the threshold, when the guard rejects a match, and where the input takes another branch', async () => {
    expect(cacheOf(await ask('acme/semantic', 'far away ~~~~~'))).toBe('miss');
    // The same place in the plane: only the guard stands between them.
    expect(cacheOf(await ask('acme/semantic', 'take 400 mg'))).toBe('miss');
    expect(cacheOf(await ask('acme/semantic', 'take up to 400 mg'))).toBe('semantic');
    expect(cacheOf(await ask('acme/semantic', 'take 800 mg'))).toBe('miss');
    expect(cacheOf(await ask('acme/branching', 'money back'))).toBe('miss');
    expect(cacheOf(await ask('acme/branching', 'money again'))).toBe('semantic');
    expect(cacheOf(await ask('acme/branching', 'my refund'))).toBe('miss');
  });

  it('shares nothing with another neuron or organization of the same settings', async () => {
    for (const [name, kind] of [
      ['exact', 'exact'],
      ['semantic', 'semantic'],
    ] as const) {
      const again = kind === 'exact' ? 'isolated' : 'isolated again';
      expect(cacheOf(await ask(`acme/${name}`, 'isolated'))).toBe('miss');
      expect(cacheOf(await ask(`acme/${name}`, again))).toMatch(/hit|semantic/);
      for (const foreign of [`acme/${kind === 'exact' ? 'twin' : 'semantic-twin'}`, `other/${name}`]) {
        expect(cacheOf(await ask(foreign, again))).toBe('miss');
      }
    }
  });

  it('gives each user an answer of their own where the flow names the user, or perUser is set', async () => {
    const [ada, bob] = [await askAs('ada', 'acme/personal', 'hi'), await askAs('bob', 'acme/personal', 'hi')];
    const again = await askAs('ada', 'acme/personal', 'hi');
    expect([ada, bob, again].map(cacheOf)).toEqual(['miss', 'miss', 'hit']);
    expect(outputOfAnswer(again)).toBe(outputOfAnswer(ada));
    expect(outputOfAnswer(bob)).toMatch(/^run \d+: bob asks \d+\. hi$/);
    expect(cacheOf(await askAs('ada', 'acme/per-user', 'mine'))).toBe('miss');
    expect(cacheOf(await askAs('ada', 'acme/per-user', 'also mine'))).toBe('hit');
    expect(cacheOf(await askAs('bob', 'acme/per-user', 'also mine'))).toBe('miss');
  });

  it('starts empty with every deployment, also of a version that was deployed before', async () => {
    const say = async () => outputOfAnswer(await call('acme/versioned', 'x'));
    const first = await say();
    expect(await say()).toBe(first);
    await applySettings(run.stack, cacheSettings(models.baseUrl, 'B'));
    await expect.poll(say).toMatch(/: B \d+\. x$/);
    await run.stack.operate(['versions', 'deploy', 'acme/versioned', 'v1']);
    await expect.poll(say).toMatch(/: A \d+\. x$/);
    const back = await say();
    expect(back).not.toBe(first);
    expect(await say()).toBe(back);
  });

  it('is not used for previews of a version, which find and leave nothing', async () => {
    const key = (await run.stack.operate(['versions', 'key', 'acme/versioned', 'v1', '--new'])).trim();
    const preview = () => call('acme/versioned/v1', 'x', { 'x-preview-key': key });
    await expect.poll(async () => (await preview()).status).toBe(200);
    expect(cacheOf(await preview())).toBe('off');
  });

  it('serves nothing whose time is over, although the item is still there', async () => {
    await call('acme/exact', 'timed');
    const kept = await call('acme/exact', 'timed');
    expect(cacheOf(kept)).toBe('hit');
    const table = outputOf(run.dataFolder, 'CacheTable');
    const items = (await dumpTable(run.client, table)).map(
      (item) => JSON.parse(item) as Record<string, unknown>,
    );
    const item = items.find(({ output }) => output === outputOfAnswer(kept));
    const endsAt = Math.floor(Date.now() / 1000) - 1;
    await run.client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk: item?.['pk'] },
        UpdateExpression: 'SET expiresAt = :end',
        ExpressionAttributeValues: { ':end': endsAt },
      }),
    );
    const fresh = await call('acme/exact', 'timed');
    expect(cacheOf(fresh)).toBe('miss');
    expect(outputOfAnswer(fresh)).not.toBe(outputOfAnswer(kept));
  });

  it('serves nothing of before once it is cleared', async () => {
    await ask('acme/keyed', 'cleared');
    expect(cacheOf(await ask('acme/keyed', 'cleared'))).toBe('exact');
    const said = await run.stack.operate(['cache', 'clear', 'acme/keyed']);
    expect(said).toBe('Cleared the response cache of acme/keyed. Takes effect within 1 s.\n');
    await expect.poll(async () => cacheOf(await ask('acme/keyed', 'cleared'))).toBe('miss');
    expect(cacheOf(await ask('acme/keyed', 'cleared'))).toBe('exact');
  });

  it('serves nothing past a limit, and counts what it serves as a request without tokens', async () => {
    const answers: Answer[] = [];
    for (let again = 0; again < 3; again += 1) answers.push(await call('acme/counted', 'counted'));
    expect(answers.map(cacheOf)).toEqual(['miss', 'hit', 'hit']);
    expect(answers[2]?.headers['ratelimit']).toMatch(/^"ip-requests-1d";r=0;t=[0-9]+$/);
    expectError(await call('acme/counted', 'counted'), 429, 'rate_limited');
    const shown = await run.stack.operate(['limits', 'acme/counted', '--ip', '127.0.0.1', '--json']);
    const rules = shown
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rules).toEqual([
      expect.objectContaining({ metric: 'requests', used: 3, held: 0, limit: 3 }),
      // The run used 10 and 5.
      expect.objectContaining({ metric: 'tokens', used: 15, held: 0, limit: 5_000 }),
    ]);
  });

  it('serves nothing before access control, maintenance and pause have been checked', async () => {
    await ask('acme/keyed', 'guarded');
    expect(cacheOf(await ask('acme/keyed', 'guarded'))).toBe('exact');
    expectError(await call('acme/keyed', 'guarded'), 401, 'unauthorized');
    await run.stack.operate(['organization', 'pause', 'acme']);
    await expect.poll(async () => (await ask('acme/keyed', 'guarded')).status).toBe(429);
    await run.stack.operate(['organization', 'resume', 'acme']);
    await expect.poll(async () => (await ask('acme/keyed', 'guarded')).status).toBe(200);
    await run.stack.operate(['maintenance', 'on']);
    await expect.poll(async () => (await ask('acme/keyed', 'guarded')).status).toBe(503);
    await run.stack.operate(['maintenance', 'off']);
    await expect.poll(async () => (await ask('acme/keyed', 'guarded')).status).toBe(200);
  });
});
