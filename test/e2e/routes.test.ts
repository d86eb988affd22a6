// Every path and method that is no route, and the preflight.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectNothingInternal } from './support/expect-answer.ts';
import { type Stack, startStack } from './support/stack.ts';

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];
const PATHS = [
  '/',
  '/acme',
  '/acme/hello',
  '/acme/hello/v1',
  '/acme/hello/v1/more',
  '/acme/hello/v1/more/and-more',
];
/** What OpenAI's browser client sends beside. */
const STAINLESS = [
  ...[
    'arch',
    'async',
    'custom-poll-interval',
    'helper-method',
    'lang',
    'os',
    'package-version',
    'poll-helper',
  ],
  ...['read-timeout', 'retry-count', 'runtime', 'runtime-version', 'timeout'],
].map((name) => `x-stainless-${name}`);
const ROUTES = ['/acme/hello', '/acme/hello/v1'];

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

describe('no route', () => {
  it.each(METHODS.flatMap((method) => PATHS.map((path) => [method, path] as const)))(
    '%s %s answers 404 route_not_found',
    async (method, path) => {
      const answer = await stack.call(path, { method });
      if (method === 'HEAD') {
        expect(answer.status).toBe(404);
        expect(answer.text).toBe('');
      } else expectError(answer, 404, 'route_not_found');
    },
  );

  it.each(PATHS.filter((path) => !ROUTES.includes(path)))(
    'POST %s answers 404 route_not_found',
    async (path) => {
      expectError(await stack.call(path), 404, 'route_not_found');
    },
  );

  it.each(['not json', '{', Buffer.alloc(100_000)])('whatever the body is', async (body) => {
    expectError(await stack.call('/acme', { method: 'PUT', body }), 404, 'route_not_found');
    expectError(
      await stack.call('/acme', { method: 'PUT', body, headers: { 'content-type': 'text/xml' } }),
      404,
      'route_not_found',
    );
  });

  it.each(['/acme/hello/', '/acme//hello', '/acme/', '/acme/hello/v1/', '/%2Facme/hello', '/acme/hel%2Flo'])(
    'and no path that only looks like one gets past without a refusal of ours: %s',
    async (path) => {
      const answer = await stack.call(path, { json: { input: 'Hello' } });
      expect(answer.status).toBe(404);
      expectError(answer, 404, String(answer.json()['code']));
    },
  );
});

describe('the preflight', () => {
  it.each(ROUTES)('of %s allows what callers send, without authentication', async (path) => {
    const answer = await stack.call(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-anything',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    const { headers } = answer;
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(names(headers['access-control-allow-methods'])).toEqual(['options', 'post']);
    expect(names(headers['access-control-allow-headers'])).toEqual([
      '*',
      'anthropic-beta',
      'anthropic-dangerous-direct-browser-access',
      'anthropic-version',
      'authorization',
      'content-type',
      'idempotency-key',
      'openai-organization',
      'openai-project',
      'x-api-key',
      'x-preview-key',
      ...STAINLESS,
    ]);
    expect(headers['access-control-max-age']).toBe('7200');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expectNothingInternal(answer);
  });

  it.each(PATHS.filter((path) => !ROUTES.includes(path)))(
    'of %s, which is no route, answers 404 route_not_found',
    async (path) => {
      expectError(await stack.call(path, { method: 'OPTIONS' }), 404, 'route_not_found');
    },
  );

  it('is the same for a neuron that does not exist, and gives nothing away', async () => {
    const known = await stack.call('/acme/hello', { method: 'OPTIONS' });
    const unknown = await stack.call('/nobody/nothing', { method: 'OPTIONS' });
    const { date: _date, 'x-amzn-requestid': _id, 'x-amz-apigw-id': _api, ...expected } = known.headers;
    expect(unknown.headers).toMatchObject(expected);
  });
});

function names(header: string | undefined): string[] {
  return String(header)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .toSorted();
}
