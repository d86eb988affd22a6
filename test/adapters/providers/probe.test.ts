// The probe of a provider: which request it makes, and what the answer means.
import { describe, expect, it } from 'vitest';
import { HttpFailure } from '../../../adapters/http/failure.ts';
import { probeProvider } from '../../../adapters/providers/probe.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { createMemorySecretReader } from '../../support/memory/secrets.ts';
import { createFakeHttp, type FakeAnswer } from './fake-http.ts';

const apiKey = { secret: 'key' };
const OPENAI: Provider = { type: 'openai', baseUrl: 'https://models.example/v1?v=2', apiKey, timeout: 1000 };
const ANTHROPIC: Provider = { type: 'anthropic', baseUrl: 'https://claude.example/', apiKey, timeout: 1000 };

function probe(provider: Provider, ...answers: readonly (FakeAnswer | Error)[]) {
  const { http, requests } = createFakeHttp(...answers);
  const secrets = createMemorySecretReader(new Map([['org-1/providers/key', 'sk-1']]));
  const { signal } = new AbortController();
  return { requests, result: probeProvider(provider, { organizationId: 'org-1', secrets, http, signal }) };
}

describe('a probe', () => {
  it('of type openai asks for the models below the base URL, with the key', async () => {
    const { requests, result } = probe(OPENAI, { status: 200, body: { data: [] } });
    expect(await result).toBe(200);
    expect(requests).toMatchObject([
      {
        method: 'GET',
        url: 'https://models.example/v1/models?v=2',
        headers: { authorization: 'Bearer sk-1', accept: 'application/json' },
      },
    ]);
    expect(requests[0]?.body).toBeUndefined();
  });

  it('of type openai without apiKey sends no key', async () => {
    const { requests, result } = probe(
      { type: 'openai', baseUrl: 'https://models.example', timeout: 1000 },
      { status: 200 },
    );
    expect(await result).toBe(200);
    expect(requests[0]?.headers).toEqual({ accept: 'application/json' });
  });

  it.each(['https://claude.example', 'https://claude.example/v1/'])(
    'of type anthropic at %s asks for /v1/models in its version of the API',
    async (baseUrl) => {
      const { requests, result } = probe({ ...ANTHROPIC, baseUrl }, { status: 200 });
      expect(await result).toBe(200);
      expect(requests).toMatchObject([
        {
          method: 'GET',
          url: 'https://claude.example/v1/models',
          headers: { 'x-api-key': 'sk-1', 'anthropic-version': '2023-06-01' },
        },
      ]);
    },
  );

  it.each(['echo', 'lexical', 'bedrock'] as const)('of type %s sends nothing', async (type) => {
    const provider = { type, region: 'us-east-1', timeout: 1000, delay: 0, fail: undefined };
    const { requests, result } = probe(provider as unknown as Provider, { status: 200 });
    expect(await result).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it.each([301, 400, 401, 403, 404, 429, 500, 503])('fails with the status %i', async (status) => {
    const body = { error: { message: 'sk-1 is bad', code: 'quoted' } };
    const { result } = probe(OPENAI, { status, body });
    const failure = await result.catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: 'ProviderFailure', status });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('sk-1');
  });

  it('fails where there is no answer, and as a matter of settings where the address is refused', async () => {
    const unreachable = new HttpFailure('unreachable', 'models.example could not be connected to');
    await expect(probe(OPENAI, unreachable).result).rejects.toBe(unreachable);
    const rejected = new HttpFailure('refused', 'models.example has no address that may be connected to');
    await expect(probe(OPENAI, rejected).result).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'configuration',
      reason: rejected.message,
    });
  });
});
