// Runs at once and limits of API keys over real HTTP: a provider that answers when it is told to says how many run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from './support/expect-answer.ts';
import { type GatedModel, startGatedModel } from './support/gated-model.ts';
import { applySettings } from './support/settings.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const settings = (baseUrl: string) => `organization: acme
providers: { gate: { type: openai, baseUrl: "${baseUrl}", timeout: 4m }, demo: { type: echo } }
usageLimits: [{ metric: concurrent, limit: 2 }]
---
neuron: acme/alone
access: { public: true }
deadline: 4m
rateLimits: [{ metric: concurrent, scope: ip, limit: 1 }]
flow: [{ callModel: { provider: gate, model: m, maxTokens: 10, retries: 0 } }]
---
neuron: acme/keyed
access: { apiKey: true }
flow: [{ callModel: { provider: demo, model: m, maxTokens: 10, retries: 0 } }]`;

describe.runIf(isLocal)('limits of runs at once, and of API keys', () => {
  let stack: Stack;
  let gate: GatedModel;
  beforeAll(async () => {
    gate = await startGatedModel();
    stack = await startStack({ concurrency: 4 });
    await applySettings(stack, settings(gate.baseUrl));
  });
  afterAll(async () => {
    await stack?.stop();
    await gate?.stop();
  });

  const call = (neuron: string, { from = '127.0.0.1', ...headers }: Record<string, string> = {}) =>
    stack.call(`/acme/${neuron}`, { json: { input: 'Hello' }, from, headers });
  const running = (many: number) => expect.poll(gate.waiting, { timeout: 30_000 }).toBe(many);

  it('let one caller run once, all callers of the organization twice, streams included, and the next when one has ended', async () => {
    const first = call('alone', { from: '127.0.0.2', accept: 'text/event-stream' });
    await running(1);
    const rejected = await call('alone', { from: '127.0.0.2' });
    expectError(rejected, 429, 'too_many_at_once', 1);
    expect(rejected.headers['ratelimit']).toBeUndefined();
    const second = call('alone', { from: '127.0.0.3' });
    await running(2);
    expectError(await call('alone', { from: '127.0.0.4' }), 429, 'too_many_at_once', 1);
    const shown = await stack.operate(['limits', 'acme', '--json']);
    expect(JSON.parse(shown.split('\n')[0] ?? '')).toMatchObject({
      metric: 'concurrent',
      scope: 'organization',
      used: 2,
      limit: 2,
    });
    gate.open();
    expect((await first).text).toContain('event: result');
    expect((await second).status).toBe(200);
    // A place is freed after the answer.
    const third = async () => {
      const answer = call('alone', { from: '127.0.0.2' });
      await Promise.race([answer, running(1)]);
      gate.open();
      return (await answer).status;
    };
    await expect.poll(third, { timeout: 30_000 }).toBe(200);
  });

  it('hold for a key from the request on that follows a change', async () => {
    const words = ['--name', 'shop', '--limit', 'requests 2 day', '--json'];
    const made = JSON.parse(await stack.operate(['keys', 'create', 'acme', ...words])) as Record<
      string,
      string
    >;
    const { key = '', keyId = '' } = made;
    const byKey = () => call('keyed', { authorization: `Bearer ${key}` });
    expect((await byKey()).status).toBe(200);
    expect((await byKey()).status).toBe(200);
    expectError(await byKey(), 429, 'usage_limit_exceeded');
    await stack.operate(['keys', 'update', 'acme', keyId, '--limit', 'requests 3 day']);
    expect((await byKey()).status).toBe(200);
    expectError(await byKey(), 429, 'usage_limit_exceeded');
    await stack.operate(['keys', 'update', 'acme', keyId, '--clear-limits']);
    expect((await byKey()).status).toBe(200);
  });
});
