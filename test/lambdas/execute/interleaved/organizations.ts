// Eight organizations with the same neurons: names, providers, models and callers are the same, and secrets are not.

export const ORGANIZATIONS = Array.from({ length: 8 }, (_, index) => `org-${index}`);

/** Requests that each organization has at `limited`. */
export const LIMIT = 2;

const SETTINGS = {
  plain: {},
  guarded: { guards: [{ use: 'pii', on: ['input'], action: 'mask' }] },
  served: { guards: [{ use: 'ours', on: ['input'], action: 'block' }] },
  cached: { caching: { exact: true } },
  limited: { rateLimits: [{ metric: 'requests', scope: 'total', limit: LIMIT, period: '1d' }] },
  counted: { rateLimits: [{ metric: 'tokens', scope: 'total', limit: 1_000_000, period: '1d' }] },
  once: {},
  vectors: {},
};
export const NEURONS = ['plain', 'guarded', 'served', 'cached', 'limited', 'counted', 'once'] as const;
export type NeuronName = keyof typeof SETTINGS;

const FLOW = [{ callModel: { provider: 'model', model: 'm', maxTokens: 500, retries: 0, accepts: 'all' } }];
const EMBEDDING = [{ embed: { provider: 'model', model: 'e', retries: 0 } }];

/** Of an organization: the key of its provider, that of its log, and the one that its guard's requests are signed with. */
export const secretsOf = (organization: string) => ({
  key: `sk-${organization}`,
  'log:hmac': organization.repeat(9),
  'guard-hmac': `signed by ${organization}`,
});

/** Settings as they are stored. */
export function storedOf(slug: string, neuron: string) {
  const id = `${slug}-${neuron}`;
  const model = { type: 'openai', baseUrl: 'https://model.example.com/v1', apiKey: { secret: 'key' } };
  const ours = {
    type: 'webhook',
    endpoint: `https://guard.${slug}.example.com/`,
    secret: { secret: 'guard-hmac' },
  };
  const document = {
    organization: slug,
    providers: { model },
    guards: { pii: { type: 'pii', entities: ['email'] }, ours },
  };
  return {
    organization: { id: slug, slug, pause: undefined, write: 1, document },
    neuron: {
      ...{ id, organizationId: slug, slug: neuron, write: 1, previewKeys: {}, cacheGeneration: 0 },
      document: {
        neuron: `${slug}/${neuron}`,
        ...{ access: { apiKey: true }, logging: { bodies: 'full' }, mcp: { description: 'Repeats.' } },
        ...SETTINGS[neuron as NeuronName],
      },
      deployment: { version: 'v1', number: 1 },
    },
    maintenance: undefined,
  };
}

export function versionOf(neuronId: string, id: string) {
  const made = { createdAt: '2026-11-22T12:00:00.000Z', author: 'test', message: undefined };
  return { id, neuronId, ...made, flow: neuronId.endsWith('-vectors') ? EMBEDDING : FLOW };
}
