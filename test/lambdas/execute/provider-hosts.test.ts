// The execution function sends nothing to a host that its stage does not list, even for settings that were stored before the list was.
import { describe, expect, it, vi } from 'vitest';
import { organizationSchema } from '../../../core/settings/organization-schema.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import { EXECUTION_FIELDS, fromVariables } from '../../../lambdas/environment.ts';
import { compose } from '../../../lambdas/execute/compose.ts';

const VARIABLES = {
  NEURON_STAGE: 'test',
  CONFIG_TABLE: 'c',
  COUNTERS_TABLE: 'n',
  CACHE_TABLE: 'a',
  LOGS_TABLE: 'l',
  SECRET_PREFIX: 'p',
  COUNTER_SHARDS: '1',
  ORGANIZATION_CONCURRENCY: '0',
  LOG_SHARDS: '1',
  TRANSFER_MODE: 'STREAM',
  MAX_DEADLINE_MS: '60000',
  SETTINGS_TTL_MS: '1000',
  SETTINGS_MAX_STALE_MS: '1000',
  SECRETS_TTL_MS: '5000',
};

const organization = organizationSchema.parse({
  organization: 'acme',
  providers: {
    web: { type: 'openai', baseUrl: 'https://evil.example/v1' },
    machine: { type: 'openai', baseUrl: 'https://127.0.0.1/v1' },
    aws: { type: 'bedrock', region: 'us-east-1' },
  },
});

const MESSAGES = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];

/** The ways to a provider: a whole answer, a stream, and an embedding. */
function call(name: string, hosts: string) {
  const environment = fromVariables(EXECUTION_FIELDS, { ...VARIABLES, PROVIDER_HOSTS: hosts });
  const found = compose(environment).providersOf({ organizationId: 'o', organization } as UsableSettings)(
    name,
  );
  const signal = new AbortController().signal;
  const request = { model: 'm', system: [], messages: MESSAGES, maxTokens: 5, signal };
  return {
    whole: () => found!.provider.generate(request),
    streamed: async () => {
      for await (const _event of found!.provider.stream!(request)) throw new Error('it answered');
    },
    embedded: () => found!.embedding!.embed({ model: 'm', inputs: ['hi'], dimensions: 512, signal }),
  };
}

describe('the execution function of a stage with a list of hosts', () => {
  it.each([
    ['web', 'evil.example'],
    ['aws', 'bedrock-runtime.us-east-1.amazonaws.com'],
  ])('answers 500 configuration for the provider %s on another host', async (name, host) => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'A').stubEnv('AWS_SECRET_ACCESS_KEY', 's');
    const { whole, streamed, embedded } = call(name, 'api.openai.com,*.example.org');
    const reason = expect.stringContaining(`the URL is on ${host}, which the stage setting providerHosts`);
    for (const send of [whole, streamed, embedded])
      await expect(send()).rejects.toMatchObject({ code: 'configuration', reason });
  });

  it('goes by the list before the policy of addresses, and by both', async () => {
    const { whole } = call('machine', '127.0.0.1');
    const reason = expect.stringContaining('must not be on this machine');
    await expect(whole()).rejects.toMatchObject({ code: 'configuration', reason });
  });

  it.each(['', 'api.openai.com,', '*', 'https://api.openai.com', 'API.openai.com'])(
    'does not start with "%s" for a list',
    (hosts) => {
      expect(() => fromVariables(EXECUTION_FIELDS, { ...VARIABLES, PROVIDER_HOSTS: hosts })).toThrow(
        'PROVIDER_HOSTS',
      );
    },
  );
});
