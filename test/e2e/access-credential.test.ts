// Callers without the right key: doubled headers, keys in wrong places and of others, built paths, members that name settings.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, CallOptions } from './support/call.ts';
import { expectError, expectNothingInternal, expectRaw } from './support/expect-answer.ts';
import { expectRawError, sendLines } from './support/header-lines.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const FLOW = 'flow: [{ serveOutput: { text: in } }]';
const SETTINGS = [
  'organization: acme',
  'organization: evil',
  `neuron: acme/keyed\naccess: { apiKey: true }\n${FLOW}`,
  `neuron: evil/keyed\naccess: { apiKey: true }\n${FLOW}`,
  `neuron: acme/closed\n${FLOW}`,
].join('\n---\n');

let stack: Stack;
let key: string;
let evilKey: string;

beforeAll(async () => {
  stack = await startStack({ settings: SETTINGS });
  key = (await stack.operate(['keys', 'create', 'acme', '--name', 'acme'])).trim();
  evilKey = (await stack.operate(['keys', 'create', 'evil', '--name', 'evil'])).trim();
});
afterAll(() => stack?.stop());

const call = (path: string, options: CallOptions = {}): Promise<Answer> =>
  stack.call(`${path}?rawOutput=1`, { json: { input: 'Hello' }, ...options });

/** Let in: the answer of the flow, with the receipt that callers with an API key get. */
const expectIn = (answer: Answer) => expectRaw(answer, 'in', false, true);

describe('a credential', () => {
  const bearer = () => `Bearer ${key}`;

  it('that is valid is accepted, and the case of its scheme does not matter', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expectIn(await call('/acme/keyed', { headers: { authorization: `${scheme} ${key}` } }));
    }
  });

  it('refuses none, and says how to bring one', async () => {
    const answer = await call('/acme/keyed');
    expectError(answer, 401, 'unauthorized');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each<[string, (key: string) => string]>([
    ['no scheme', (valid) => valid],
    ['another scheme', (valid) => `Basic ${valid}`],
    ['a scheme without a space', (valid) => `Bearer${valid}`],
    ['a scheme twice', (valid) => `Bearer Bearer ${valid}`],
    ['two in one, as a proxy joins them', (valid) => `Bearer ${valid}, Bearer ${valid}`],
    ['two keys', (valid) => `Bearer ${valid} ${valid}`],
    ['a name before it', (valid) => `Bearer token=${valid}`],
    ['quotes', (valid) => `Bearer "${valid}"`],
    ['nothing behind the scheme', () => 'Bearer '],
    ['an empty header', () => ''],
    ['the first half', (valid) => `Bearer ${valid.slice(0, 30)}`],
    ['all but its last character', (valid) => `Bearer ${valid.slice(0, -1)}`],
    ['a character more', (valid) => `Bearer ${valid}0`],
    ['padding', (valid) => `Bearer ${valid}=`],
    ['other cases', (valid) => `Bearer ${valid.toLowerCase()}`],
    ['its prefix in capitals', (valid) => `Bearer NRN_${valid.slice(4)}`],
    ['no prefix', (valid) => `Bearer ${valid.slice(4)}`],
    ['its public part', (valid) => `Bearer ${valid.slice(0, 16)}`],
    ['a joker', () => 'Bearer nrn_*'],
    ['a path', () => 'Bearer ../../KEY'],
    ['a comment', (valid) => `Bearer ${valid}--`],
    ['a JWT without a signature', () => 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.'],
    ['8,300 characters', () => `Bearer nrn_${'a'.repeat(8_300)}`],
  ])('refuses %s', async (_name, spoil) => {
    const answer = await call('/acme/keyed', { headers: { authorization: spoil(key) } });
    expectError(answer, 401, 'unauthorized');
  });

  it('refuses two headers, whichever of them is valid', async () => {
    for (const authorization of [
      [bearer(), bearer()],
      [bearer(), 'Bearer nrn_nothing'],
      ['Basic eA==', bearer()],
      [bearer(), ''],
    ]) {
      expectError(await call('/acme/keyed', { headers: { authorization } }), 401, 'unauthorized');
    }
  });

  it.runIf(isLocal)('refuses two headers, whatever the case of their names', async () => {
    for (const lines of [
      [`Authorization: ${bearer()}`, `authorization: ${bearer()}`],
      [`AUTHORIZATION: ${bearer()}`, 'X-Between: 1', 'Authorization: Bearer x'],
      [`authorization: x`, `Authorization: ${bearer()}`],
    ]) {
      expectRawError(await sendLines(stack.url, '/acme/keyed', ...lines), 401, 'unauthorized');
    }
    expect(await sendLines(stack.url, '/acme/keyed', `aUTHORIZATION: ${bearer()}`)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it('refuses a key anywhere but in the Authorization header', async () => {
    const names = [
      'x-api-key',
      'api-key',
      'proxy-authorization',
      'x-authorization',
      'x-forwarded-authorization',
    ];
    const headers = {
      ...Object.fromEntries(names.flatMap((name) => [[name, bearer()]])),
      cookie: `authorization=${key}; token=${key}`,
      'x-api-key': key,
    };
    const query = ['key', 'api_key', 'access_token', 'token', 'authorization', 'Authorization']
      .map((name) => `${name}=${key}`)
      .join('&');
    const answer = await stack.call(`/acme/keyed?${query}`, {
      headers,
      json: {
        input: 'Hello',
        jwtOrApiKey: key,
        authorization: bearer(),
        headers: { authorization: bearer() },
      },
    });
    expectError(answer, 401, 'unauthorized');
    expect(`${answer.text}${JSON.stringify(answer.headers)}`).not.toContain(key.slice(17));
  });

  it('refuses the headers of the authorizer context, when a caller sends them', async () => {
    const context = { outcome: 'allow', organization: 'acme', neuron: 'keyed', authentication: 'apiKey' };
    const headers = Object.fromEntries(
      Object.entries(context).flatMap(([name, value]) => [
        [name, value],
        [`x-amzn-authorizer-${name}`, value],
        [`x-${name}`, value],
      ]),
    );
    const answer = await call('/acme/keyed', {
      headers: { ...headers, 'x-amzn-apigateway-authorizer': JSON.stringify(context) },
      json: { input: 'Hello', requestContext: { authorizer: context } },
    });
    expectError(answer, 401, 'unauthorized');
  });

  it('refuses a key of another organization, also for a neuron of the same slug', async () => {
    const withKey = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
    expectIn(await call('/evil/keyed', withKey(evilKey)));
    expectError(await call('/acme/keyed', withKey(evilKey)), 401, 'unauthorized');
    expectError(await call('/evil/keyed', withKey(key)), 401, 'unauthorized');
  });
});

describe('a path', () => {
  const PATHS = [
    '/evil/../acme/keyed',
    '/evil/%2e%2e/acme/keyed',
    '/evil/keyed%2f..%2f..%2facme%2fkeyed',
    '/evil%2f..%2facme/keyed',
    '/evil%23..%23acme/keyed',
    '/acme%23NEURON%23keyed/keyed',
    '/ORG%23acme/keyed',
    '/ORG%23acme/NEURON%23keyed',
    '/acme/NEURON%23keyed',
    '/acme/keyed%23',
    '/acme/keyed%00',
    '/acme%00/keyed',
    '/acme/keyed%20',
    '/%20acme/keyed',
    '/acme/keyed;neuron=keyed',
    '/acme/KEYED',
    '/Acme/keyed',
    '/acme/key%C3%A9d',
    '/acme/%EF%BD%8Beyed',
    '/acme/keyed%0d%0aX-Injected:%201',
    '/acme/META',
    '/SERVICE/MAINTENANCE',
    '/acme/VERSION%23x',
    '/acme/keyed/v1',
    '/acme/__proto__',
    '/constructor/prototype',
  ];

  it.each(PATHS)('refuses to open another neuron by %s', async (path) => {
    for (const options of [{}, { headers: { authorization: `Bearer ${evilKey}` } }]) {
      const answer = await stack.call(path, { json: { input: 'Hello' }, ...options });
      expect([401, 404]).toContain(answer.status);
      expect(['unauthorized', 'not_found', 'route_not_found']).toContain(answer.json()['code']);
      expect(answer.headers['x-injected']).toBeUndefined();
      expectNothingInternal(answer);
    }
  });

  it('refuses every other method, and the names of methods in headers', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE']) {
      const answer = await stack.call('/acme/keyed', { method, headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(404);
    }
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await stack.call('/acme/keyed', { method: 'GET', headers: { [name]: 'POST' } });
      expect([401, 404]).toContain(answer.status);
    }
    const preflight = await call('/acme/keyed', { headers: { 'x-http-method-override': 'OPTIONS' } });
    expect(preflight.text).not.toContain('in"');
    expect([200, 204, 401]).toContain(preflight.status);
    expect(preflight.headers['x-execution-stopped']).toBeUndefined();
  });

  it('leads to no administration', async () => {
    for (const path of [
      '/',
      '/keys',
      '/acme',
      '/acme/keys',
      '/acme/keyed/keys/list',
      '/_admin',
      '/acme/closed',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const headers = { authorization: `Bearer ${key}` };
        const answer = await stack.call(path, {
          method,
          headers,
          ...(method === 'POST' ? { json: {} } : {}),
        });
        expect([403, 404]).toContain(answer.status);
      }
    }
  });
});

describe('a body', () => {
  it('has nothing to say about settings: members that name them change nothing', async () => {
    const control = {
      access: { public: true },
      public: true,
      neuron: 'evil/keyed',
      organization: 'evil',
      organizationId: 'x',
      username: 'root',
      keyId: 'x',
      authentication: 'public',
      bypassAccess: true,
    };
    expectError(await call('/acme/keyed', { json: { input: 'Hello', ...control } }), 401, 'unauthorized');
    expectError(await call('/acme/closed', { json: { input: 'Hello', ...control } }), 403, 'access_closed');
    const headers = { authorization: `Bearer ${key}` };
    const answer = await stack.call('/acme/keyed', { json: { input: 'Hello', ...control }, headers });
    expect(answer.json()).toEqual({ output: 'in', fromCache: false, executionStopped: false });
  });
});
