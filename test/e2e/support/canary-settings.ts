// Settings for every way to fail: a neuron for each, all of one organization but for what an organization's own limit refuses.

const ACCESS = {
  keyed: '{ apiKey: true }',
  tokens: '{ jwt: { sharedSecret: { secret: shared } } }',
  pages: '{ referers: [app.example.com] }',
  office: '{ ips: [203.0.113.7] }',
  closed: '{}',
};
const FAILING_MODELS = [
  'status-400',
  'status-401',
  'status-403',
  'status-429',
  'status-500',
  'too-long',
  'wrong-shape',
  'html',
  'cut',
  'hang',
];
const ECHO = '{ provider: demo, model: echo-1 }';

/** The documents as YAML; `providerUrl` is that of the provider that repeats what it was sent. */
export function canarySettings(providerUrl: string): string {
  return [
    `organization: acme
providers:
  demo: { type: echo }
  slow: { type: echo, delay: 2s }
  late: { type: echo, delay: 20s }
  telltale: { type: openai, baseUrl: "${providerUrl}", apiKey: { secret: provider-key } }
  unset: { type: openai, baseUrl: "${providerUrl}", apiKey: { secret: never-set } }
guards:
  all: { type: patterns, deny: ["(?s).+"] }
  down: { type: webhook, endpoint: "http://127.0.0.1:9/judge", secret: { secret: provider-key } }`,
    neuron(
      'unwatched',
      ECHO,
      undefined,
      'logging: { bodies: full }\nguards: [{ use: down, on: [input], action: block }]',
    ),
    neuron(
      'rated',
      ECHO,
      undefined,
      'feedback: { metrics: { helpful: { type: boolean } }, comments: false }',
    ),
    ...Object.entries(ACCESS).map(([slug, access]) => neuron(slug, ECHO, access)),
    neuron('hashed', ECHO),
    neuron('unlogged', ECHO, undefined, 'logging: { bodies: none }'),
    neuron('full', ECHO, undefined, 'logging: { bodies: full }'),
    neuron(
      'guarded',
      '{ provider: demo, model: echo-1, accepts: [images] }',
      undefined,
      'logging: { bodies: full }\nguards: [{ use: all, on: [input], action: block, unseen: refuse }]',
    ),
    neuron('small', ECHO, undefined, 'maxInputBytes: 10'),
    neuron(
      'limited',
      ECHO,
      ACCESS.keyed,
      `rateLimits: [{ metric: requests, scope: user, limit: 1, period: 1d }]`,
    ),
    neuron('gone', ECHO),
    neuron('broken', ECHO),
    neuron('slow', '{ provider: slow, model: echo-1 }'),
    neuron(
      'single',
      '{ provider: slow, model: echo-1 }',
      undefined,
      'rateLimits: [{ metric: concurrent, scope: total, limit: 1 }]',
    ),
    neuron('impatient', '{ provider: late, model: echo-1 }', undefined, 'deadline: 1s'),
    neuron('unset', '{ provider: unset, model: echo-1 }'),
    neuron('careless', '{ provider: telltale, model: bad-arguments, accepts: [tools] }'),
    'neuron: acme/undeployed\naccess: { public: true }',
    ...FAILING_MODELS.map((model) =>
      neuron(model, `{ provider: telltale, model: ${model}, timeout: 1s, retries: 0 }`),
    ),
    'organization: tight\nproviders: { demo: { type: echo } }\nusageLimits: [{ metric: requests, limit: 1, period: month }]',
    neuron('hello', ECHO).replace('acme/', 'tight/'),
  ].join('\n---\n');
}

/** Neurons whose model call fails. */
export const FAILING_NEURONS: readonly string[] = FAILING_MODELS;

function neuron(slug: string, model: string, access = '{ public: true }', more = 'receipt: true'): string {
  return `neuron: acme/${slug}\naccess: ${access}\n${more}\nflow: [{ callModel: ${model} }]`;
}
