// Neurons and calls for tests of what a key is granted: end users, tags, patterns.
import type { Answer } from './call.ts';
import { SHARED_SECRET } from './jwt.ts';
import { says } from './organization-stack.ts';
import { type Stack, startStack } from './stack.ts';

/** Asks a model, so that it takes the longest answer that Messages always say. */
const asks = (text: string) =>
  `flow: [{ callModel: { provider: demo, model: m, accepts: [parameters] } }, { serveOutput: { text: ${text} } }]`;
const FIVE = 'rateLimits: [{ metric: requests, scope: user, limit: 5, period: 1d }]';
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo } }',
  `neuron: acme/limited\naccess: { apiKey: true }\n${FIVE}\n${asks('"Hello {{username}}"')}`,
  `neuron: acme/shared\naccess: { apiKey: true }\n${FIVE}\n${asks('shared')}`,
  `neuron: acme/cached\naccess: { apiKey: true }\ncaching: { exact: true, perUser: true }\nflow: [{ callModel: { provider: demo, model: m } }]`,
  `neuron: acme/shop-web\ntags: { team: shop, tier: gold }\naccess: { apiKey: true }\n${says('web')}`,
  `neuron: acme/shop-app\naccess: { apiKey: true }\nmodels: [gpt-4.1-mini]\n${asks('app')}`,
  `neuron: acme/blog\naccess: { apiKey: true }\n${says('blog')}`,
  `neuron: acme/tiers\naccess: { jwt: { sharedSecret: { secret: issuer }, usernamePath: sub } }\nrateLimits:
  - { metric: requests, scope: user, limit: 2, period: 1d, when: { claim: tier, is: [free, trial] } }
  - { metric: requests, scope: total, limit: 3, period: 1d, when: { claim: "https://example.com/plan", is: [shared] } }
  - { metric: requests, scope: user, limit: 6, period: 1d }
${says('tiers')}`,
].join('\n---\n');

type Headers = Readonly<Record<string, string | readonly string[]>>;
export const VERSION = { 'anthropic-version': '2023-06-01' };

/** Ways to name the end user of a call, by surface. */
export const WAYS: Readonly<
  Record<string, (name: string) => { path: string; body: object; headers?: Headers }>
> = {
  chat: (user) => ({
    path: '/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hi' }], user },
  }),
  responses: (user) => ({ path: '/responses', body: { input: 'Hi', user } }),
  messages: (user_id) => ({
    path: '/messages',
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], metadata: { user_id } },
    headers: VERSION,
  }),
  native: (user) => ({ path: '', body: { input: 'Hi', user } }),
  header: (name) => ({
    path: '',
    body: { input: 'Hi' },
    headers: { 'x-end-user': `UTF-8''${encodeURIComponent(name)}` },
  }),
};

/** Eight environments, as many as the answers to one burst come from. */
export async function startGranted() {
  const stack = await startStack({ settings: SETTINGS, concurrency: 8 });
  await stack.operate(['secrets', 'set', 'acme', 'issuer', '--for', 'jwt'], { input: SHARED_SECRET });
  return { stack, ...callsOf(stack) };
}

function callsOf(stack: Stack) {
  const create = async (...words: string[]) =>
    (await stack.operate(['keys', 'create', 'acme', '--name', 'a test', ...words])).trim();
  const call = (neuron: string, key: string, body: object = { input: 'Hi' }, headers: Headers = {}) =>
    stack.call(`/${neuron}`, { json: body, headers: { authorization: `Bearer ${key}`, ...headers } });
  const callAs = (way: string, neuron: string, key: string, name: string): Promise<Answer> => {
    const { path, body, headers } = WAYS[way]!(name);
    const base = path === '' ? `/acme/${neuron}` : `/v1/acme${path}`;
    return stack.call(base, {
      json: { model: neuron, ...body },
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  };
  return { create, call, callAs };
}

export function countOf(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

/** The code of an error, in any form. */
export function codeOf(answer: Answer): unknown {
  const { error, code } = answer.json();
  return code ?? (error as { code?: string }).code;
}
