// The trace of the caller reaches every provider that is asked over HTTP, as a whole answer and as a stream, and only where there is one.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnthropicProvider } from '../../../adapters/providers/anthropic/index.ts';
import { createBedrockProvider } from '../../../adapters/providers/bedrock/index.ts';
import { createOpenaiProvider } from '../../../adapters/providers/openai/index.ts';
import { userMessage } from '../../../core/conversation/conversation.ts';
import type { ModelProvider, ModelRequest } from '../../../core/ports/providers.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import { createFakeHttp } from './fake-http.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const HELLO: ModelRequest = {
  ...{ model: 'm-1', system: [], messages: [userMessage('Hello')], maxTokens: 5 },
  signal: new AbortController().signal,
};

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret-key');
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', '');
});
afterEach(() => vi.unstubAllEnvs());

/** Every attempt is refused: what was sent is what counts. */
function providers() {
  const { http, openHttp, requests } = createFakeHttp({ status: 500, body: {} });
  const secrets = createMemorySecretReader(new Map([['org-1/providers/key', 'sk-one']]));
  const ports = { organizationId: 'org-1', secrets, http, openHttp, clock: createMemoryClock(0) };
  const apiKey = { secret: 'key' };
  const made: Record<string, ModelProvider> = {
    openai: createOpenaiProvider({ type: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey }, ports),
    anthropic: createAnthropicProvider(
      { type: 'anthropic', baseUrl: 'https://api.anthropic.com', apiKey },
      ports,
    ),
    bedrock: createBedrockProvider({ type: 'bedrock', region: 'us-east-1' }, ports),
  };
  return { made, requests };
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

describe.each(['openai', 'anthropic', 'bedrock'])('the provider %s', (name) => {
  it('is told of the trace, and of none where there is none', async () => {
    const { made, requests } = providers();
    const provider = made[name]!;
    for (const request of [{ ...HELLO, traceparent: TRACEPARENT }, HELLO]) {
      await expect(provider.generate(request)).rejects.toThrow();
      await expect(drain(provider.stream!(request))).rejects.toThrow();
    }
    const sent = requests.map(({ headers }) => headers?.['traceparent']);
    expect(sent).toEqual([TRACEPARENT, TRACEPARENT, undefined, undefined]);
  });
});

it('the signature of a call to Bedrock does not cover the trace, which may be changed on the way', async () => {
  const { made, requests } = providers();
  await expect(made['bedrock']!.generate({ ...HELLO, traceparent: TRACEPARENT })).rejects.toThrow();
  expect(requests[0]!.headers?.['authorization']).not.toContain('traceparent');
});
