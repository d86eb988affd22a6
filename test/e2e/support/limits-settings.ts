// The settings of the scenarios on limits: a neuron for each scope and metric, and an organization with a limit of its own.

/** `Hello` takes 5 bytes, so an attempt reserves 5 + 64 + 30 tokens; the echo provider then uses fewer. */
export const RESERVED = 99;

const rule = (metric: string, scope: string, limit: number, period = '1d') =>
  `{ metric: ${metric}, scope: ${scope}, limit: ${limit}, period: ${period} }`;

function neuron(
  slug: string,
  rules: readonly string[],
  access = '{ public: true }',
  flow = callModel('demo'),
): string {
  const rateLimits = rules.length === 0 ? '' : `rateLimits: [${rules.join(', ')}]\n`;
  return `neuron: acme/${slug}\naccess: ${access}\n${rateLimits}flow: [${flow}]`;
}

const callModel = (provider: string, more = '') =>
  `{ callModel: { provider: ${provider}, model: m, maxTokens: 30, retries: 0${more} } }`;

const JWT = '{ jwt: { sharedSecret: { secret: support-jwt }, usernamePath: sub } }';
const OPEN_JWT = JWT.replace('{', '{ apiKey: true,');

export const SETTINGS = [
  `organization: acme
providers: { demo: { type: echo }, slow: { type: echo, delay: 2s } }
prices: { demo/m: { input: 1000, output: 1000 } }`,
  neuron('per-user', [rule('requests', 'user', 2)], JWT),
  neuron('per-caller', [rule('requests', 'user', 1)], OPEN_JWT),
  neuron('per-ip', [rule('requests', 'ip', 2)]),
  neuron('in-total', [rule('requests', 'total', 3)]),
  neuron('tokens', [rule('tokens', 'ip', 150)]),
  neuron('cost', [rule('cost', 'total', 0.15)]),
  neuron(
    'two-calls',
    [rule('tokens', 'total', 190)],
    '{ public: true }',
    [callModel('demo'), callModel('demo')].join(', '),
  ),
  neuron('held', [rule('tokens', 'ip', 150)], '{ public: true }', callModel('slow')),
  neuron('short', [rule('requests', 'ip', 1, '10s')]),
  neuron('narrowest', [rule('requests', 'total', 2), rule('requests', 'ip', 1)]),
  neuron('broken', [rule('requests', 'ip', 1)]),
].join('\n---\n');

export const USAGE = `organization: busy
providers: { demo: { type: echo } }
usageLimits: [{ metric: requests, limit: 2, period: month }]
---
neuron: busy/one
access: { public: true }
rateLimits: [${rule('requests', 'ip', 100)}]
flow: [${callModel('demo')}]
---
neuron: busy/two
access: { public: true }
rateLimits: [${rule('requests', 'total', 100)}]
flow: [${callModel('demo')}]`;
