// Every example of the OpenAPI document, run: what the document shows is what the stack answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, CallOptions } from './support/call.ts';
import { ROOT } from './support/command.ts';
import { type FakeOpenai, startFakeOpenai } from './support/fake-openai.ts';
import { type Stack, startStack } from './support/stack.ts';

interface Example {
  readonly value: unknown;
}
interface Content {
  readonly examples?: Readonly<Record<string, Example>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { post: { requestBody: { content: Record<string, Content> } } }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, { content: Readonly<Record<string, Content>> }>>;
  };
}

const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Document;
const { responses } = document.components;
const requests =
  document.paths['/{organization}/{neuron}']?.post.requestBody.content['application/json']?.examples;

const settings = (fakeUrl: string) => `organization: acme
name: Acme Inc.
providers:
  demo: { type: echo }
  late: { type: echo, delay: 20s }
  strict: { type: echo, fail: 400 }
  dead: { type: openai, baseUrl: http://127.0.0.1:9/v1 }
  fake: { type: openai, baseUrl: ${fakeUrl} }
  unset: { type: openai, baseUrl: http://127.0.0.1:9/v1, apiKey: { secret: never-set } }
guards:
  words: { type: patterns, deny: [Hello] }
  down: { type: webhook, endpoint: http://127.0.0.1:9/v1, secret: { secret: guard-hmac } }
${[
  neuron('hello', '{ public: true }', 'demo', '', ', accepts: [history, tools]'),
  neuron('private', '{ apiKey: true }', 'demo'),
  neuron('keyed', '{ apiKey: true }', 'demo'),
  neuron('pages', '{ referers: [app.example.com] }', 'demo'),
  neuron('addresses', '{ ips: [203.0.113.7] }', 'demo'),
  neuron('small', '{ public: true }', 'demo', 'maxInputBytes: 4'),
  neuron('cached', '{ public: true }', 'demo', 'caching: { exact: true }'),
  neuron(
    'limited',
    '{ public: true }',
    'demo',
    'rateLimits: [{ metric: requests, scope: total, limit: 1, period: 1d }]',
  ),
  neuron('strict', '{ public: true }', 'strict'),
  neuron('unset', '{ public: true }', 'unset'),
  neuron(
    'guarded',
    '{ public: true }',
    'demo',
    'guards: [{ use: words, on: [input], action: block, unseen: refuse }]',
    ', accepts: [images]',
  ),
  neuron('too-long', '{ public: true }', 'fake').replace('echo-1', 'too-long'),
  neuron('dead', '{ public: true }', 'dead'),
  neuron('unwatched', '{ public: true }', 'demo', 'guards: [{ use: down, on: [input], action: block }]'),
  neuron('late', '{ public: true }', 'late', 'deadline: 1s'),
  neuron(
    'single',
    '{ public: true }',
    'late',
    'deadline: 5s\nrateLimits: [{ metric: concurrent, scope: total, limit: 1 }]',
  ),
  'neuron: acme/stopped\naccess: { public: true }\nflow:\n  - stop: {}',
  'neuron: acme/empty\naccess: { public: true }',
  'neuron: acme/closed\nflow:\n  - stop: {}',
  'organization: used\nusageLimits: [{ metric: requests, limit: 1, period: day }]',
  'neuron: used/hello\naccess: { public: true }\nflow:\n  - stop: {}',
]
  .map((document) => `---\n${document}\n`)
  .join('')}`;

function neuron(slug: string, access: string, provider: string, more = '', call = ''): string {
  const flow = `flow:\n  - callModel: { provider: ${provider}, model: echo-1, retries: 0${call} }`;
  return [`neuron: acme/${slug}`, `access: ${access}`, more, flow].filter((line) => line !== '').join('\n');
}

/** How to get each error: a path, what to send, what an operator does before and after. */
interface Recipe extends CallOptions {
  readonly path: string;
  /** The wait is as long as is left of the limit's period. */
  readonly waits?: boolean;
  /** The API key is sent along, and `before` and `after` get its id. */
  readonly keyed?: boolean;
  /** Another call is made beside it. */
  readonly crowded?: boolean;
  /** The body of another call before it. */
  readonly earlier?: unknown;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}
const hello = { json: { input: 'Hello' } };
const RECIPES: Readonly<Record<string, Recipe>> = {
  malformed_json: { path: '/acme/hello', body: '{"input":' },
  malformed_body: { path: '/acme/hello', body: '[]' },
  unauthorized: { path: '/acme/private', ...hello },
  referer_not_allowed: { path: '/acme/pages', ...hello, headers: { referer: 'https://other.example.com/' } },
  ip_not_allowed: { path: '/acme/addresses', ...hello },
  access_closed: { path: '/acme/closed', ...hello },
  not_found: { path: '/acme/unknown', ...hello },
  deployment_not_found: { path: '/acme/empty', ...hello },
  revision_not_found: { path: '/acme/hello/v9', ...hello, headers: { 'x-preview-key': 'wrong' } },
  invalid_input: { path: '/acme/hello', json: { input: 1 } },
  not_accepted: { path: '/acme/strict', json: requests?.['tools']?.value },
  input_too_large: { path: '/acme/small', ...hello },
  invalid_parameter: { path: '/acme/hello?bypassCache=perhaps', ...hello },
  provider_rejected_input: { path: '/acme/strict', ...hello },
  guard_blocked: { path: '/acme/guarded', ...hello },
  guard_unseen_content: {
    path: '/acme/guarded',
    json: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
        },
      ],
    },
  },
  guard_unavailable: { path: '/acme/unwatched', ...hello },
  context_too_long: { path: '/acme/too-long', ...hello },
  too_many_at_once: { path: '/acme/single', ...hello, crowded: true },
  idempotency_in_progress: {
    path: '/acme/single',
    ...{ ...hello, headers: { 'idempotency-key': 'order-17' } },
    ...{ crowded: true, waits: true },
  },
  idempotency_mismatch: {
    path: '/acme/hello',
    ...{ ...hello, headers: { 'idempotency-key': 'order-17' }, earlier: { input: 'Goodbye' } },
  },
  rate_limited: { path: '/acme/limited', ...hello, waits: true },
  usage_limit_exceeded: { path: '/used/hello', ...hello, waits: true },
  organization_paused: {
    path: '/acme/hello',
    ...hello,
    before: ['organization', 'pause', 'acme', '--retry-after', '2m'],
    after: ['organization', 'resume', 'acme'],
  },
  neuron_paused: {
    path: '/acme/hello',
    ...hello,
    before: ['pause', 'acme/hello'],
    after: ['resume', 'acme/hello'],
  },
  key_paused: {
    path: '/acme/keyed',
    ...hello,
    keyed: true,
    before: ['keys', 'pause', 'acme'],
    after: ['keys', 'resume', 'acme'],
  },
  caller_blocked: {
    path: '/acme/hello',
    ...hello,
    waits: true,
    before: ['block', 'acme', '--ip', '127.0.0.1', '--for', '1h'],
    after: ['unblock', 'acme', '--ip', '127.0.0.1'],
  },
  configuration: { path: '/acme/unset', ...hello },
  maintenance: {
    path: '/acme/hello',
    ...hello,
    before: ['maintenance', 'on', '--retry-after', '90s'],
    after: ['maintenance', 'off'],
  },
  upstream_unavailable: { path: '/acme/dead', ...hello },
  deadline_exceeded: { path: '/acme/late', ...hello },
};

let stack: Stack;
let fake: FakeOpenai;
let apiKey: string;
beforeAll(async () => {
  fake = await startFakeOpenai();
  stack = await startStack({ settings: settings(fake.baseUrl) });
  await stack.operate(['secrets', 'set', 'acme', 'guard-hmac', '--for', 'providers'], {
    input: 'shared words',
  });
  apiKey = (await stack.operate(['keys', 'create', 'acme', '--name', 'examples'])).trim();
});
afterAll(async () => {
  await stack?.stop();
  await fake?.stop();
});

const examplesOf = (response: string, type: string) =>
  Object.entries(responses[response]?.content[type]?.examples ?? {});

describe('the examples of successes', () => {
  const stored = Object.fromEntries(examplesOf('Success', 'application/json'));

  it.each(Object.entries(requests ?? {}))(
    '%s: the request gets the answer of the same name',
    async (name, request) => {
      const answer = await stack.call('/acme/hello', { json: request.value });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.json()).toEqual(stored[name]?.value);
    },
  );

  it('stopped: a flow that stops gets it', async () => {
    expect((await stack.call('/acme/stopped', hello)).json()).toEqual(stored['stopped']?.value);
  });

  it('cached: a neuron that keeps its answers gives it from the second call on', async () => {
    const call = async () => (await stack.call('/acme/cached', { json: requests?.['text']?.value })).json();
    await call();
    await expect.poll(call).toEqual(stored['cached']?.value);
  });

  it('text in raw mode: the request of the same name gets it', async () => {
    const [[, example] = []] = examplesOf('Success', 'text/plain');
    const answer = await stack.call('/acme/hello?rawOutput=true', { json: requests?.['text']?.value });
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(example?.value);
  });

  it('are no more than these', () => {
    expect(Object.keys(stored)).toEqual([...Object.keys(requests ?? {}), 'stopped', 'cached']);
    expect(examplesOf('Success', 'text/plain').map(([name]) => name)).toEqual(['text']);
  });
});

describe('the examples of errors', () => {
  const examples = Object.keys(responses)
    .filter((name) => name.startsWith('Error'))
    .flatMap((name) => examplesOf(name, 'application/json'));

  it('each have a way to get them', () => {
    expect(examples.map(([name]) => name).toSorted()).toEqual(Object.keys(RECIPES).toSorted());
  });

  it.each(examples)('%s', async (name, { value }) => {
    const { path, waits, keyed, crowded, earlier, before, after, ...sent } = RECIPES[name] as Recipe;
    const options =
      keyed === true ? { ...sent, headers: { ...sent.headers, authorization: `Bearer ${apiKey}` } } : sent;
    const operate = (words: readonly string[]) =>
      stack.operate(keyed === true ? [...words, apiKey.slice(4, 16)] : words);
    const shown = value as { statusCode: number };
    if (before !== undefined) await operate(before);
    if (earlier !== undefined) await stack.call(path, { ...options, json: earlier });
    try {
      // Each environment learns of an operator's change within a second.
      let answer: Answer | undefined;
      const ask = async () => {
        const beside = crowded === true ? stack.call(path, options) : undefined;
        answer = await stack.call(path, options);
        // Either of the two is the one that is refused.
        if (beside !== undefined && answer.status !== shown.statusCode) answer = await beside;
        return answer.status;
      };
      await expect.poll(ask, { timeout: 30_000 }).toBe(shown.statusCode);
      if (answer === undefined) throw new Error('nothing answered');
      if (crowded !== true) answer = await stack.call(path, options);
      expect(answer.json()).toEqual({
        ...shown,
        ...(waits === true ? { retryAfter: Number(answer.headers['retry-after']) } : {}),
        executionId: answer.headers['x-execution-id'],
      });
    } finally {
      if (after !== undefined) await operate(after);
      if (after !== undefined)
        await expect.poll(async () => statusOf(await stack.call(path, options))).toBe(200);
    }
  });
});

function statusOf({ status }: Answer): number {
  return status;
}
