// The organizations and neurons that the scenarios of the response cache run on.

/** Documents, as YAML. `baseUrl` is that of the scripted models; `name` is what the deployed flow of `acme/versioned` says. */
export function cacheSettings(baseUrl: string, name = 'A'): string {
  const flow = 'flow: [{ callModel: { provider: models, model: m, retries: 0 } }]';
  const organization = (slug: string) => `organization: ${slug}
providers: { models: { type: openai, baseUrl: ${baseUrl} } }
prices: { models/m: { input: 3, output: 15 }, models/e: { input: 1, output: 0 } }`;
  const neuron = (slug: string, ...lines: string[]) => [`neuron: ${slug}`, ...lines].join('\n');
  const semantic = 'caching: { semantic: { threshold: 0.95, embedding: { provider: models, model: e } } }';
  const open = 'access: { public: true }';
  const keyed = 'access: { apiKey: true }';
  const byUser = 'access: { jwt: { sharedSecret: { secret: cache-jwt }, usernamePath: sub } }';
  return [
    organization('acme'),
    neuron('acme/exact', open, 'caching: { exact: true }', flow),
    neuron('acme/twin', open, 'caching: { exact: true }', flow),
    neuron('acme/plain', open, flow),
    neuron('acme/keyed', keyed, 'caching: { exact: true }', flow),
    neuron('acme/semantic', keyed, semantic, flow),
    neuron('acme/semantic-twin', keyed, semantic, flow),
    neuron(
      'acme/branching',
      keyed,
      semantic,
      `flow:
  - ifInputContains: { any: [refund], match: word, then: [{ callModel: { provider: models, model: m, prompt: "REFUND {{input}}" } }], else: [{ callModel: { provider: models, model: m } }] }`,
    ),
    neuron(
      'acme/personal',
      byUser,
      'caching: { exact: true }',
      'flow: [{ callModel: { provider: models, model: m, prompt: "{{username}} asks {{input}}" } }]',
    ),
    neuron('acme/per-user', byUser, semantic.replace('{ semantic', '{ perUser: true, semantic'), flow),
    neuron(
      'acme/versioned',
      open,
      'caching: { exact: true }',
      `flow: [{ callModel: { provider: models, model: m, prompt: "${name} {{input}}" } }]`,
    ),
    neuron(
      'acme/ends',
      open,
      'caching: { exact: true }',
      `flow:
  - ifInputContains: { any: [stop], then: [{ stop: { text: Stopped. } }] }
  - ifInputContains: { any: [split], then: [{ randomizedSplit: { percentageA: 100, a: [{ callModel: { provider: models, model: m } }] } }], else: [{ callModel: { provider: models, model: m } }] }`,
    ),
    neuron(
      'acme/counted',
      open,
      'caching: { exact: true }',
      'rateLimits: [{ metric: requests, scope: ip, limit: 3, period: 1d }, { metric: tokens, scope: ip, limit: 5000, period: 1d }]',
      flow,
    ),
    organization('other'),
    neuron('other/exact', open, 'caching: { exact: true }', flow),
    neuron('other/semantic', keyed, semantic, flow),
  ].join('\n---\n');
}
