// The organization that the checks make, call and delete again: on a deployment, on a local run and on the emulator.

/** Its slug; nobody else's, or it would be deleted. */
export const ORGANIZATION = 'smoke-check';

/** Its public key set is at a name that a function must resolve itself. */
export const ISSUER = 'https://accounts.google.com';

/** An allowance that no run reaches, so that calls are counted. */
export const CALLS_PER_HOUR = 100_000;

const JWKS = `{ jwks: ["https://www.googleapis.com/oauth2/v3/certs"], algorithms: [RS256], issuer: "${ISSUER}", audience: ${ORGANIZATION} }`;
const SEMANTIC = '{ threshold: 0.80, allowPublic: true, embedding: { provider: words, model: echo-1 } }';

/** A neuron that calls one model; `members` are those of its settings beside the flow. */
function neuron(slug: string, provider: string, ...members: string[]): string {
  const step = provider === 'slow' ? ', timeout: 60s, retries: 0' : '';
  return [
    `neuron: ${ORGANIZATION}/${slug}`,
    ...members,
    `flow: [{ callModel: { provider: ${provider}, model: echo-1${step} } }]`,
  ].join('\n');
}

/** One neuron for each kind of access, all offline but `keyed`, whose provider key no check sets. */
export const SETTINGS = [
  `organization: ${ORGANIZATION}
providers:
  demo: { type: echo }
  words: { type: lexical }
  paced: { type: echo, wordsPerSecond: 1 }
  slow: { type: echo, delay: 31s, timeout: 60s }
  keyed: { type: openai, baseUrl: "https://api.example.com/v1", apiKey: { secret: provider-key } }`,
  neuron(
    'open',
    'demo',
    'access: { public: true }',
    `rateLimits: [{ metric: requests, scope: total, limit: ${CALLS_PER_HOUR}, period: 1h }]`,
  ),
  neuron('cached', 'demo', 'access: { public: true }', 'caching: { exact: true }'),
  neuron('private', 'demo', 'access: { apiKey: true }'),
  neuron('elsewhere', 'demo', 'access: { ips: [203.0.113.7] }'),
  neuron('linked', 'demo', 'access: { referers: [app.example.com] }'),
  neuron('members', 'demo', `access: { jwt: ${JWKS} }`),
  neuron('signed', 'demo', 'access: { jwt: { sharedSecret: { secret: signing }, usernamePath: sub } }'),
  neuron('keyed', 'keyed', 'access: { public: true }'),
  neuron(
    'similar',
    'demo',
    'access: { public: true }',
    'receipt: true',
    `caching: { semantic: ${SEMANTIC} }`,
  ),
  neuron('paced', 'paced', 'access: { public: true }'),
  neuron('slow', 'slow', 'access: { public: true }', 'deadline: 60s'),
].join('\n---\n');
