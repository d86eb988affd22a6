// Feedback through a whole stack: the token on every surface, one value of many at once, in the usage, in the seals and as an event.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

const SETTINGS = `
organization: acme
providers: { echo: { type: echo }, words: { type: lexical } }
---
neuron: acme/hello
access: { public: true }
feedback:
  metrics: { helpful: { type: boolean }, stars: { type: number, min: 1, max: 5 } }
flow:
  - callModel: { provider: echo, model: echo, prompt: "{{input}}", accepts: [parameters] }
---
neuron: acme/vectors
access: { public: true }
feedback: { metrics: { helpful: { type: boolean } } }
flow: [{ embed: { provider: words, model: spelling, dimensions: 16 } }]
---
neuron: acme/tool
access: { apiKey: true }
mcp: { description: Says what you said. }
feedback: { metrics: { helpful: { type: boolean } } }
flow:
  - callModel: { provider: echo, model: echo, prompt: "{{input}}", accepts: [parameters] }
---
neuron: acme/quiet
access: { public: true }
flow:
  - callModel: { provider: echo, model: echo, prompt: "{{input}}", accepts: [parameters] }
`;

// dynalite has no streams, and so no usage.
describe.runIf(isLocal && ENGINE === 'dynoxide')('feedback', () => {
  let stack: Stack;
  const dataFolder = isLocal ? temporaryFolder() : '';
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, dataFolder, trustForwardedFor: true });
  }, 120_000);
  afterAll(() => stack?.stop());

  interface SentEvent {
    readonly source: string;
    readonly detail: Readonly<Record<string, unknown>>;
  }
  const events = (): readonly SentEvent[] => {
    const file = join(dataFolder, 'events.jsonl');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => JSON.parse(line) as SentEvent);
  };

  const call = (path: string, json: unknown) => stack.call(path, { json });
  const tokenOf = async () => {
    const { headers } = await call('/acme/hello', { input: 'Hello' });
    return String(headers['x-feedback-token']);
  };

  it('is named by a token that pages may read, on every surface', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const key = (await stack.operate(['keys', 'create', 'acme', '--name', 'tools'])).trim();
    const answers = [
      await call('/acme/hello', { input: 'Hello' }),
      await call('/v1/acme/hello/chat/completions', { model: 'hello', messages }),
      await call('/v1/acme/hello/responses', { model: 'hello', input: 'Hello' }),
      await stack.call('/v1/acme/hello/messages', {
        json: { model: 'hello', max_tokens: 9, messages },
        headers: { 'anthropic-version': '2023-06-01' },
      }),
      await call('/v1/acme/vectors/embeddings', { model: 'vectors', input: 'Hello' }),
      await stack.call('/v1/acme/mcp', {
        json: {
          ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
          params: { name: 'tool', arguments: { input: 'Hello' } },
        },
        headers: { authorization: `Bearer ${key}`, 'mcp-protocol-version': '2025-11-25' },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    for (const { headers } of answers) {
      expect(headers['x-feedback-token']).toMatch(/^[\w-]{100,}$/);
      expect(headers['access-control-expose-headers']).toContain('X-Feedback-Token');
    }
  });

  it('is one value of 100 at once, in the usage once, and the log still verifies', async () => {
    const token = await tokenOf();
    // An address has a budget of 60 a minute.
    const sent = Array.from({ length: 100 }, (_, at) =>
      stack.call('/acme/hello/feedback', {
        json: { token, metric: 'helpful', value: true },
        headers: { 'X-Forwarded-For': `198.51.100.${at}` },
      }),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, new Set(statuses)]).toEqual([
      1,
      new Set([201, 409]),
    ]);
    const second = await tokenOf();
    expect(
      (await call('/acme/hello/feedback', { token: second, metric: 'helpful', value: false })).status,
    ).toBe(201);
    await vi.waitFor(
      async () => {
        const shown = await stack.operate(['usage', 'acme', '--by', 'feedback', '--json']);
        expect(JSON.parse(shown)).toMatchObject({ metric: 'helpful', version: 'v1', ratings: 2, mean: 0.5 });
      },
      { timeout: 30_000, interval: 500 },
    );
    await vi.waitFor(() => expect(events().map(({ detail }) => detail['value'])).toEqual([true, false]), {
      timeout: 30_000,
    });
    const [first] = events();
    expect(first).toMatchObject({ source: 'neuron-execution-service', 'detail-type': 'Feedback Received' });
    expect(first?.detail).toEqual({
      version: 1,
      id: `${first?.detail['executionId']}#helpful`,
      stage: 'local',
      organization: 'acme',
      organizationId: expect.any(String),
      neuron: 'hello',
      neuronId: expect.any(String),
      executionId: expect.any(String),
      answeredAt: expect.any(String),
      neuronVersion: 'v1',
      rollout: null,
      metric: 'helpful',
      value: true,
      at: expect.any(String),
    });
    expect((await stack.neuron(['usage', 'acme', '--verify'])).exitCode).toBe(0);
    expect((await stack.neuron(['logs', 'verify', 'acme'])).exitCode).toBe(0);
  }, 120_000);

  it('refuses a token of elsewhere, a wrong value, and a neuron that takes none', async () => {
    const token = await tokenOf();
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const answers = [
      await call('/acme/hello/feedback', { token: forged, metric: 'stars', value: 1 }),
      await call('/acme/hello/feedback', { token, metric: 'stars', value: 6 }),
      await call('/acme/quiet/feedback', { token, metric: 'stars', value: 1 }),
      await call('/acme/hello/feedback/more', { token, metric: 'stars', value: 1 }),
    ];
    expect(answers.map(({ status, json }) => [status, json()['code']])).toEqual([
      [422, 'invalid_feedback'],
      [422, 'invalid_feedback'],
      [404, 'feedback_off'],
      [404, 'route_not_found'],
    ]);
  });

  it('leaves one entry for each request with it, with code and status', async () => {
    const value = { token: await tokenOf(), metric: 'stars', value: 4 };
    const answers = [
      await call('/acme/quiet/feedback', value),
      await call('/acme/hello/feedback', { ...value, token: 'x' }),
      await call('/acme/hello/feedback', value),
      await call('/acme/hello/feedback', value),
    ];
    const ids = answers.map(({ headers }) => headers['x-execution-id']);
    const entriesOf = async () => {
      const lines = (await stack.operate(['logs', 'acme', '--since', '1h', '--json'])).trim().split('\n');
      const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      return ids.map((id) =>
        entries.filter(({ executionId }) => executionId === id).map(({ status, code }) => [status, code]),
      );
    };
    await expect
      .poll(entriesOf, { timeout: 30_000 })
      .toEqual([
        [[404, 'feedback_off']],
        [[422, 'invalid_feedback']],
        [[201, null]],
        [[409, 'feedback_exists']],
      ]);
  });
});
