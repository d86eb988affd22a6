// A shadow through a whole stack: answers stay those of the deployed version, and copies of runs are counted, sealed and paid apart.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

const settings = (model: string) => `
organization: acme
providers: { echo: { type: echo } }
guards: { mail: { type: pii, entities: [email] } }
prices: { echo/one: { input: 10, output: 10 }, echo/two: { input: 20, output: 20 } }
---
neuron: acme/hello
access: { public: true }
caching: { exact: true }
rateLimits: [{ metric: requests, scope: total, limit: 1000, period: 1d }]
guards: [{ use: mail, on: [input], action: mask }]
flow:
  - callModel: { provider: echo, model: ${model}, prompt: "${model} {{input}}" }
`;

interface Entry {
  readonly executionId: string;
  readonly version: string | null;
  readonly reason: string | null;
  readonly costMicrodollars: number;
}

// dynalite has no streams, and so nothing that is counted.
describe.runIf(isLocal && ENGINE === 'dynoxide')('a shadow', () => {
  let stack: Stack;
  const folder = isLocal ? temporaryFolder() : '';
  beforeAll(async () => {
    stack = await startStack({ settings: settings('one') });
    writeFileSync(join(folder, 'next.yaml'), settings('two'));
    await stack.operate(['apply', join(folder, 'next.yaml'), '--yes', '--no-deploy']);
    await shadow('start', 'acme/hello', 'v2', '--share', '100%', '--budget', '2', '--for', '1h', '--yes');
    // Settings take effect within a second in each environment.
    const isCopied = async () => {
      await call(`warm ${performance.now()}`);
      expect((await copies()).length).toBeGreaterThan(0);
    };
    await vi.waitFor(isCopied, { timeout: 30_000, interval: 500 });
  }, 120_000);
  afterAll(() => stack?.stop());

  const shadow = (...words: readonly string[]) => stack.operate(['versions', 'shadow', ...words]);
  const call = (input: string, headers: Record<string, string> = {}) =>
    stack.call('/acme/hello', { json: { input }, headers });
  const entries = async (): Promise<readonly Entry[]> => {
    const lines = (await stack.operate(['logs', 'acme', '--since', '1h', '--json'])).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Entry);
  };
  const copies = async () => (await entries()).filter(({ executionId }) => executionId.endsWith('#shadow'));
  const copyOf = async (id: unknown) => (await copies()).find((one) => one.executionId === `${id}#shadow`);

  it('repeats a run after its answer, which stays that of the deployed version', async () => {
    const unique = performance.now();
    const { status, headers, json } = await call(`Mail ada@example.com ${unique}`);
    expect([status, json()['output']]).toEqual([200, `You said: one Mail ada@example.com ${unique}`]);
    const id = headers['x-execution-id'];
    await expect.poll(() => copyOf(id), { timeout: 30_000, interval: 500 }).toBeDefined();
    expect(await copyOf(id)).toMatchObject({ version: 'v2', reason: `shadow of ${id}` });
    const shown = await stack.operate(['logs', 'acme', '--id', `${id}#shadow`]);
    expect(shown).toMatch(/shadow +of /);
    expect(shown).not.toContain('ada@example.com');
  });

  it('repeats no hit of the cache, no replay, no preview and no error', async () => {
    const key = { 'idempotency-key': `one-${performance.now()}` };
    const kept = `kept ${performance.now()}`;
    const before = (await copies()).length;
    const first = await call(kept, key);
    await expect
      .poll(() => copyOf(first.headers['x-execution-id']), { timeout: 30_000, interval: 500 })
      .toBeDefined();
    const preview = (await stack.operate(['versions', 'key', 'acme/hello', 'v1', '--new', '--yes']))
      .trim()
      .split('\n')
      .at(-1);
    const headers = { 'x-preview-key': preview ?? '' };
    const see = () => stack.call('/acme/hello/v1', { json: { input: 'seen' }, headers });
    // The key takes effect within a second.
    await expect.poll(async () => (await see()).status).toBe(200);
    const others = [
      await call(kept),
      await call(kept, key),
      await stack.call('/acme/hello', { json: { inputs: 7 } }),
      await see(),
    ];
    const last = await call(`last ${performance.now()}`);
    await expect
      .poll(() => copyOf(last.headers['x-execution-id']), { timeout: 30_000, interval: 500 })
      .toBeDefined();
    expect(others.map(({ status }) => status)).toEqual([200, 200, 422, 200]);
    const [hit, replay] = others;
    expect(hit?.headers['x-cache']).toBe('hit');
    // A replay names the execution of the answer that it repeats.
    expect(replay?.headers['x-execution-id']).toBe(first.headers['x-execution-id']);
    expect(await copies()).toHaveLength(before + 2);
    for (const { headers } of others.filter((one) => one !== replay))
      expect(await copyOf(headers['x-execution-id'])).toBeUndefined();
  });

  it('is in no usage of callers, has a budget of its own, and log and usage still verify', async () => {
    const all = await entries();
    const own = all.filter(({ executionId }) => executionId.endsWith('#shadow'));
    const read = async () => JSON.parse(await shadow('status', 'acme/hello', '--json'));
    await expect
      .poll(async () => (await read()).runs.requests, { timeout: 30_000, interval: 500 })
      .toBe(own.length);
    const spent = own.reduce((sum, { costMicrodollars }) => sum + costMicrodollars, 0);
    expect(await read()).toMatchObject({ takenMicrodollars: spent, heldMicrodollars: 0, isOpen: true });
    const usage = JSON.parse(await stack.operate(['usage', 'acme', '--json']));
    expect(usage.totals.requests).toBe(all.length - own.length);
    const compared = await stack.operate([
      'versions',
      'compare',
      'acme/hello',
      'v1',
      'v2',
      '--shadow',
      '--json',
    ]);
    expect(JSON.parse(compared).versions[1]).toMatchObject({ version: 'v2', runs: own.length });
    expect((await stack.neuron(['usage', 'acme', '--verify'])).exitCode).toBe(0);
    expect((await stack.neuron(['logs', 'verify', 'acme'])).exitCode).toBe(0);
  });

  it('ends with the command, which the log of changes names', async () => {
    await shadow('stop', 'acme/hello', '--yes');
    const isCopied = async () => {
      const { headers } = await call(`after ${performance.now()}`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return (await copyOf(headers['x-execution-id'])) !== undefined;
    };
    await expect.poll(isCopied, { timeout: 20_000, interval: 500 }).toBe(false);
    const changes = await stack.operate(['logs', 'acme', '--changes', '--json']);
    const actions = changes
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).actions as string[]);
    expect(actions.filter((action) => action === 'shadow')).toHaveLength(2);
  });
});
