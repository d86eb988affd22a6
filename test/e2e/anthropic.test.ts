// A Claude model through the whole local stack: a server on loopback speaks the Messages API from fixtures, and stalls, cuts and trickles.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeAnthropic } from '../adapters/providers/anthropic/fake-anthropic.ts';
import { CHAOS, type FixtureServer } from '../adapters/providers/fixture-server.ts';
import type { Answer } from './support/call.ts';
import { expectError, expectSuccess } from './support/expect-answer.ts';
import { readEntry } from './support/log-entry.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';

const KEY = 'sk-ant-value-of-the-key';

/** What the fake answers with, by the neuron that calls it; `cached` gives receipts. */
const FIXTURES = {
  answers: 'message',
  cached: 'invented-cached',
  truncated: 'invented-max-tokens',
  refused: 'invented-refusal',
  malformed: 'invented-malformed',
  rejected: 'invented-error-400-invalid-request',
  broke: 'invented-error-402-billing',
  forbidden: 'invented-error-403-permission',
  missing: 'error-404-not-found',
  limited: 'invented-error-429-rate-limit',
  'spend-limit': 'invented-error-429-spend-limit',
  failing: 'invented-error-500-api',
  overloaded: 'invented-error-529-overloaded',
} as const;

function settings(url: string): string {
  const neuron = (slug: string, model: string, more = '') =>
    `neuron: acme/${slug}\naccess: { public: true }\nreceipt: ${slug === 'cached'}\nlogging: { bodies: full }\n` +
    `flow:\n  - callModel: { provider: claude, model: ${model}, retries: 0, timeout: 1s${more} }\n`;
  const fallback = ', fallbacks: [{ provider: demo, model: echo-1 }]';
  return [
    `organization: acme\nproviders:\n  claude: { type: anthropic, baseUrl: "${url}", apiKey: { secret: claude-key } }\n  demo: { type: echo }\n` +
      'prices: { claude/invented-cached: { input: 1, cachedInput: 0.1, output: 5 } }\n',
    ...Object.entries(FIXTURES).map(([slug, fixture]) => neuron(slug, fixture)),
    ...CHAOS.flatMap((chaos) => [neuron(chaos, chaos), neuron(`after-${chaos}`, chaos, fallback)]),
  ].join('---\n');
}

// The fake listens on loopback, where a deployed function does not reach it.
describe.runIf(isLocal).each(SOME_MODES)('in %s transfer', (transferMode) => {
  let claude: FixtureServer;
  let stack: Stack;
  beforeAll(async () => {
    claude = await startFakeAnthropic(KEY);
    stack = await startStack({ transferMode, settings: settings(claude.url), concurrency: 1 });
    await stack.operate(['secrets', 'set', 'acme', 'claude-key', '--for', 'providers'], { input: KEY });
  });
  afterAll(async () => {
    await stack?.stop();
    await claude?.stop();
  });

  const call = (slug: string): Promise<Answer> => stack.call(`/acme/${slug}`, { json: { input: 'Hello' } });
  const done = (output: string) => ({ output, fromCache: false, executionStopped: false });

  it('answers what the model says', async () => {
    await expect.poll(async () => (await call('answers')).status).toBe(200);
    expectSuccess(await call('answers'), done("Here's the answer to your question..."));
    const request = claude.received.at(-1);
    expect(request?.headers).toMatchObject({ 'x-api-key': KEY, 'anthropic-version': '2023-06-01' });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'message',
      max_tokens: 1024,
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('takes an output that was cut by maxTokens like any other, and stops at a refusal', async () => {
    expectSuccess(await call('truncated'), done("Here's the answer to your question..."));
    expectSuccess(await call('refused'), { fromCache: false, executionStopped: true });
  });

  it('counts what came from the prompt cache at its own price', async () => {
    // 330 tokens in, 300 of them from the cache at 0.1, 7 out at 5: 30 + 30 + 35.
    expect((await call('cached')).headers).toMatchObject({
      'x-tokens-input': '330',
      'x-tokens-output': '7',
      'x-cost-microdollars': '95',
    });
  });

  it.each([
    ['malformed', 503, 'upstream_unavailable'],
    ['rejected', 422, 'provider_rejected_input'],
    ['broke', 503, 'upstream_unavailable'],
    ['forbidden', 500, 'configuration'],
    ['missing', 500, 'configuration'],
    ['limited', 503, 'upstream_unavailable'],
    ['spend-limit', 503, 'upstream_unavailable'],
    ['failing', 503, 'upstream_unavailable'],
    ['overloaded', 503, 'upstream_unavailable'],
    ['stall', 503, 'upstream_unavailable'],
    ['cut', 503, 'upstream_unavailable'],
    ['trickle', 503, 'upstream_unavailable'],
  ] as const)('%s: %i %s', async (slug, status, code) => {
    const answer = await call(slug);
    expectError(answer, status, code);
    expect(answer.text).not.toMatch(/words of the provider/);
  });

  it.each([
    ['stall', 'timeout'],
    ['cut', 'malformed_answer'],
    ['trickle', 'timeout'],
  ])(
    'asks the next model after one whose answer goes %s, and books what it may have cost',
    async (chaos, why) => {
      const answer = await call(`after-${chaos}`);
      const id = expectSuccess(answer, done('You said: Hello'));
      const entry = await readEntry<{ trace: object[]; modelCalls: object[] }>(stack, id);
      expect(entry.trace).toMatchObject([{ decision: `claude/${chaos} [${why}] → demo/echo-1` }]);
      // 5 bytes of prompt and 64 for its message; as many tokens out as were asked for.
      expect(entry.modelCalls[0]).toMatchObject({ tokensInput: 69, tokensOutput: 1024, estimated: true });
    },
  );

  it('leaves no connection open to a model that it gave up', async () => {
    await expect.poll(() => claude.open(), { timeout: 30_000 }).toBeLessThanOrEqual(1);
  });
});
