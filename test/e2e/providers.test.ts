// A provider that answers, is slow, is down, lies or refuses: what the caller hears, and what nobody hears.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { expectError, expectRaw, expectSuccess } from './support/expect-answer.ts';
import { type FakeOpenai, PROVIDER_TEXT, startFakeOpenai } from './support/fake-openai.ts';
import { PROVIDER_KEY, scenarioSettings } from './support/settings.ts';
import { isLocal, SOME_MODES, type Stack, startStack } from './support/stack.ts';

// The fake provider listens on loopback, where a deployed function does not reach it.
describe.runIf(isLocal).each(SOME_MODES)('in %s transfer', (transferMode) => {
  let provider: FakeOpenai;
  let stack: Stack;
  beforeAll(async () => {
    provider = await startFakeOpenai();
    const gone = await startFakeOpenai();
    await gone.stop();
    const settings = scenarioSettings({ openaiUrl: provider.baseUrl, deadUrl: gone.baseUrl });
    stack = await startStack({ transferMode, settings, concurrency: 4 });
  });
  afterAll(async () => {
    await stack?.stop();
    await provider?.stop();
  });

  const call = (neuron: string): Promise<Answer> =>
    stack.call(`/acme/${neuron}`, { json: { input: 'Hello' } });
  const logs = () => stack.operate(['logs', 'acme', '--json']);

  it('answers 500 configuration until the secret is set, without a restart, and then what the provider says', async () => {
    expectError(await call('ok'), 500, 'configuration');
    expect(provider.asked).toEqual([]);
    await stack.operate(['secrets', 'set', 'acme', 'provider-key', '--for', 'providers'], {
      input: PROVIDER_KEY,
    });
    // A secret that was not there is looked for again after a while.
    await expect.poll(async () => (await call('ok')).status, { timeout: 40_000, interval: 500 }).toBe(200);
    expectSuccess(await call('ok'), { output: 'heard: Hello', fromCache: false, executionStopped: false });
  });

  it('sends the provider its key, the model and the input, and nothing that it need not know', async () => {
    expectRaw(
      await stack.call('/acme/ok?rawOutput=1', { json: { input: 'A question' } }),
      'heard: A question',
    );
    const asked = provider.asked.at(-1);
    expect(asked?.authorization).toBe(`Bearer ${PROVIDER_KEY}`);
    expect(asked?.body).toEqual({
      model: 'ok',
      messages: [{ role: 'user', content: 'A question' }],
      max_tokens: 1024,
    });
  });

  it('answers 500 configuration for a secret that was never set', async () => {
    expectError(await call('unset'), 500, 'configuration');
  });

  it.each([
    ['dead', 503, 'upstream_unavailable'],
    ['hang', 503, 'upstream_unavailable'],
    ['cut', 503, 'upstream_unavailable'],
    ['html', 503, 'upstream_unavailable'],
    ['wrong-shape', 503, 'upstream_unavailable'],
    ['endless', 503, 'upstream_unavailable'],
    ['status-500', 503, 'upstream_unavailable'],
    ['status-503', 503, 'upstream_unavailable'],
    ['status-429', 503, 'upstream_unavailable'],
    ['status-401', 500, 'configuration'],
    ['status-403', 500, 'configuration'],
    ['status-400', 422, 'provider_rejected_input'],
    ['too-long', 422, 'context_too_long'],
    ['impatient', 503, 'deadline_exceeded'],
  ] as const)('a provider that is %s: %i %s', async (neuron, status, code) => {
    const answer = await call(neuron);
    expectError(answer, status, code);
    expect(answer.text).not.toContain(PROVIDER_TEXT);
  });

  it('keeps the provider’s key and words out of the log and of everything that the stack prints', async () => {
    await call('status-401');
    await expect.poll(logs).toContain('"configuration"');
    const seen = `${await logs()}${stack.output()}`;
    expect(seen).not.toContain(PROVIDER_TEXT);
    expect(seen).not.toContain(PROVIDER_KEY);
  });
});
