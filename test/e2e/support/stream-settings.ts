// The settings of the scenarios on streams: a provider for each way in which a stream can go, a neuron for each way it is used.

/** `Hello` has 5 bytes: an attempt may use 5 + 64 tokens of input and 30 of output. */
export const MAX_TOKENS = { tokensInput: 69, tokensOutput: 30 };

/** Documents, as YAML. `baseUrl` is that of the stepwise model. */
export function streamSettings(baseUrl: string): string {
  return [
    `organization: acme
name: Acme Inc.
providers:
  demo: { type: echo }
  late: { type: echo, delay: 20s }
  broken: { type: echo, breakAfter: 2 }
  stalled: { type: echo, stallAfter: 2 }
  failing: { type: echo, fail: 503 }
  stepwise: { type: openai, baseUrl: ${baseUrl} }
prices: { demo/m: { input: 1, output: 1 }, broken/m: { input: 1, output: 1 } }`,
    neuron('hello', call('demo')),
    neuron('agent', call('demo', ', accepts: [tools]')),
    neuron('whole', `${call('demo')}, { ifOutputContains: { any: [secret], then: [{ stop: {} }] } }`),
    neuron('cached', call('demo'), 'caching: { exact: true }'),
    neuron('stopped', '{ stop: { text: No more of this. } }'),
    neuron('silent', '{ stop: {} }'),
    neuron('broken', call('broken'), 'caching: { exact: true }'),
    neuron('stalled', call('stalled', ', timeout: 1s')),
    neuron('failing', call('failing')),
    neuron('impatient', call('late'), 'deadline: 1s'),
    neuron(
      'saved',
      `{ callModel: { provider: failing, model: m, retries: 0, fallbacks: [{ provider: demo, model: m }] } }`,
    ),
    neuron('stepwise', call('stepwise')),
    neuron(
      'metered',
      call('broken'),
      'rateLimits: [{ metric: tokens, scope: total, limit: 1000, period: 1d }]',
    ),
    neuron('counted', call('demo'), 'rateLimits: [{ metric: requests, scope: ip, limit: 1, period: 1d }]'),
    `neuron: acme/keyed\naccess: { apiKey: true }\nflow: [${call('demo')}]`,
    `neuron: acme/closed\nflow: [${call('demo')}]`,
  ].join('\n---\n');
}

function neuron(slug: string, flow: string, ...more: readonly string[]): string {
  return [`neuron: acme/${slug}`, 'access: { public: true }', ...more, `flow: [${flow}]`].join('\n');
}

function call(provider: string, more = ''): string {
  return `{ callModel: { provider: ${provider}, model: m, maxTokens: 30, retries: 0${more} } }`;
}
