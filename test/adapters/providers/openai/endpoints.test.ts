// Endpoints that want headers, a query or another header for the key: what is sent, and that no secret is told.
import { describe, expect, it } from 'vitest';
import { createOpenaiEmbeddings } from '../../../../adapters/providers/openai/embeddings.ts';
import { createOpenaiProvider } from '../../../../adapters/providers/openai/index.ts';
import { probeProvider } from '../../../../adapters/providers/probe.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import { describeFailure } from '../../../../core/flow/failure.ts';
import { ProviderFailure } from '../../../../core/ports/providers.ts';
import { organizationSchema, type Provider } from '../../../../core/settings/organization-schema.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createFakeHttp, type FakeAnswer, readOpenaiFixture } from '../fake-http.ts';

type OpenaiSettings = Extract<Provider, { type: 'openai' }>;

const signal = new AbortController().signal;
const REQUEST = { model: 'm', system: [], messages: [userMessage('Hi')], maxTokens: 5, signal };
const SECRETS = new Map<`${string}/providers/${string}`, string>([
  ['org-1/providers/azure', 'azure-key-1'],
  ['org-1/providers/gate', 'gate-token-0123456789'],
]);

/** As `apply` stores it and a call reads it. */
function parse(provider: object): OpenaiSettings {
  const { providers } = organizationSchema.parse({ organization: 'acme', providers: { one: provider } });
  const parsed = providers['one'];
  if (parsed?.type !== 'openai') throw new Error('of another type');
  return parsed;
}

const AZURE = parse({
  type: 'openai',
  baseUrl: 'https://acme.openai.azure.com/openai/deployments/d',
  apiKey: { secret: 'azure' },
  auth: 'api-key',
  query: { 'api-version': '2025-04-01-preview' },
  headers: { 'X-Title': 'Acme support', 'X-Gate-Token': { secret: 'gate' } },
});
const URL_OF = (endpoint: string) =>
  `https://acme.openai.azure.com/openai/deployments/d/${endpoint}?api-version=2025-04-01-preview`;
const SENT = { 'api-key': 'azure-key-1', 'x-title': 'Acme support', 'x-gate-token': 'gate-token-0123456789' };

function prepare(...answers: readonly FakeAnswer[]) {
  const fake = createFakeHttp(...answers);
  const secrets = createMemorySecretReader(SECRETS);
  return {
    ...fake,
    ports: { organizationId: 'org-1', secrets, ...fake, clock: createMemoryClock(0), signal },
  };
}

describe('an endpoint with headers, a query and its own header for the key', () => {
  it('gets them with a call, and no other credentials', async () => {
    const { requests, ports } = prepare(readOpenaiFixture('chat-completion'));
    await createOpenaiProvider(AZURE, ports).generate(REQUEST);
    expect(requests).toMatchObject([{ url: URL_OF('chat/completions'), headers: SENT }]);
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('gets them with a stream', async () => {
    const headers = { 'content-type': 'application/json' };
    const { requests, ports } = prepare({ ...readOpenaiFixture('chat-completion'), headers });
    for await (const event of createOpenaiProvider(AZURE, ports).stream?.(REQUEST) ?? []) void event;
    expect(requests).toMatchObject([{ url: URL_OF('chat/completions'), headers: SENT }]);
  });

  it('gets them with embeddings and with a probe', async () => {
    const vector = { data: [{ embedding: [0, 1] }], usage: { prompt_tokens: 1 } };
    const { requests, ports } = prepare({ status: 200, body: vector }, { status: 200, body: {} });
    await createOpenaiEmbeddings(AZURE, ports).embed({ model: 'm', inputs: ['Hi'], dimensions: 2, signal });
    await probeProvider(AZURE, ports);
    expect(requests).toMatchObject([
      { url: URL_OF('embeddings'), headers: SENT },
      { url: URL_OF('models'), headers: SENT },
    ]);
  });

  it('gets the key as Authorization where auth is bearer or absent', async () => {
    for (const auth of ['bearer', undefined] as const) {
      const { requests, ports } = prepare(readOpenaiFixture('chat-completion'));
      await createOpenaiProvider({ ...AZURE, auth }, ports).generate(REQUEST);
      expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer azure-key-1' });
      expect(requests[0]?.headers).not.toHaveProperty('api-key');
    }
  });

  it('is never quoted with a secret, of a header or of the key', async () => {
    const message = 'bad azure-key-1 and gate-token-0123456789';
    const { ports } = prepare({ status: 400, body: { error: { message } } });
    const failure = await createOpenaiProvider(AZURE, ports)
      .generate(REQUEST)
      .catch((thrown: unknown) => thrown);
    if (!(failure instanceof ProviderFailure)) throw failure;
    const told = describeFailure(failure, { sent: REQUEST, ofCaller: new Set() });
    expect(told).toContain('bad [redacted] and [redacted]');
    expect(JSON.stringify(failure)).not.toMatch(/azure-key|gate-token/);
  });

  it.each(['a b', 'a\r\nhost: evil', 'é', ''])(
    'is not called with a secret that would end its header: %j',
    async (value) => {
      const { requests, ports } = prepare(readOpenaiFixture('chat-completion'));
      const secrets = createMemorySecretReader(new Map([...SECRETS, ['org-1/providers/gate', value]]));
      await expect(
        createOpenaiProvider(AZURE, { ...ports, secrets }).generate(REQUEST),
      ).rejects.toMatchObject({
        code: 'configuration',
      });
      expect(requests).toEqual([]);
    },
  );
});
