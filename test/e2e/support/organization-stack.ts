// An organization of neurons that are called by its URL, and the keys that call them.

import type { Answer } from './call.ts';
import { type Stack, startStack, type TransferMode } from './stack.ts';

export const says = (text: string) => `flow: [{ serveOutput: { text: ${text} } }]`;
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo }, words: { type: lexical } }',
  `neuron: acme/support\nname: Support answers\naccess: { apiKey: true }\nmodels: [gpt-4.1-mini, "Meta/Llama 3"]\n${says('support')}`,
  `neuron: acme/coder\naccess: { apiKey: true }\nmodels: ["claude-*"]\n${says('coder')}`,
  `neuron: acme/opus\naccess: { apiKey: true }\nmodels: ["claude-opus-*"]\n${says('opus')}`,
  'neuron: acme/vectors\naccess: { apiKey: true }\nmodels: [text-embedding-3-small]\nflow: [{ embed: { provider: words, model: spelling, dimensions: 16 } }]',
  `neuron: acme/open\naccess: { public: true }\n${says('open')}`,
  `neuron: acme/pages\naccess: { jwt: { jwks: [https://login.example.com/jwks] } }\nmodels: [tokens-only]\n${says('pages')}`,
  `neuron: acme/inside\naccess: { apiKey: true, ips: [203.0.113.7] }\n${says('inside')}`,
  'neuron: acme/empty\naccess: { apiKey: true }',
  'neuron: acme/proxy\naccess: { apiKey: true }\ncaching: { exact: true }\nmodels: [first, second, "any-*"]\nflow: [{ callModel: { provider: demo, model: "{{model}}", maxTokens: 50, accepts: [parameters] } }]',
  'organization: shop',
  `neuron: shop/support\naccess: { apiKey: true }\n${says('shop')}`,
].join('\n---\n');

export const MESSAGES = [{ role: 'user', content: 'Hello' }];

/** The keys are of all neurons, of `coder` alone, and of another organization. */
export async function startOrganization(transferMode: TransferMode) {
  const stack = await startStack({ settings: SETTINGS, transferMode });
  const create = async (...words: string[]) =>
    (await stack.operate(['keys', 'create', ...words, '--name', 'a test'])).trim();
  const key = await create('acme');
  const narrow = await create('acme', '--neurons', 'coder');
  const foreign = await create('shop');
  return { stack, key, narrow, foreign, ...callsBy(stack, key) };
}

function callsBy(stack: Stack, key: string) {
  const chat = (model: unknown, bearer = key, headers: Record<string, string> = {}): Promise<Answer> =>
    stack.call('/v1/acme/chat/completions', {
      json: { model, messages: MESSAGES },
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
  const get = (path: string, bearer = key, headers: Record<string, string> = {}): Promise<Answer> =>
    stack.call(`/v1/acme/${path}`, {
      method: 'GET',
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
  return { chat, get };
}

/** Everything of an answer but what each answer has of its own. */
export function bytesOf({ status, headers, text }: Answer): string {
  const { date: _date, 'x-execution-id': _id, 'x-request-id': _request, ...rest } = headers;
  const { 'x-amzn-requestid': _amzn, 'x-amz-apigw-id': _apigw, 'x-amzn-trace-id': _trace, ...same } = rest;
  return JSON.stringify({ status, headers: same, text });
}
