// What the wire adds to access: header lines as they are sent, built paths, and callers that name settings, addresses or a context.
// The decisions themselves are in access-table.test.ts, and each form of a key, Referer, Origin or address in test/core/access.
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
  `neuron: acme/closed\n${FLOW}`,
  // Callers are 127.0.0.1 where nothing else is said.
  `neuron: acme/office\naccess: { ips: [127.0.0.1] }\n${FLOW}`,
  `neuron: acme/pages\naccess: { referers: [app.example.com, "*.example.org"] }\n${FLOW}`,
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

const bearer = () => `Bearer ${key}`;
const call = (path: string, options: CallOptions = {}): Promise<Answer> =>
  stack.call(`${path}?rawOutput=1`, { json: { input: 'Hello' }, ...options });
/** Let in: the answer of the flow, with the receipt that callers with an API key get. */
const expectIn = (answer: Answer) => expectRaw(answer, 'in', false, true);

describe('a credential', () => {
  it('refuses two headers, whichever of them is valid', async () => {
    expectIn(await call('/acme/keyed', { headers: { authorization: `bearer ${key}` } }));
    for (const authorization of [
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

  it('refuses one of 8,300 characters', async () => {
    const headers = { authorization: `Bearer nrn_${'a'.repeat(8_300)}` };
    expectError(await call('/acme/keyed', { headers }), 401, 'unauthorized');
  });

  it('refuses a key anywhere but in the Authorization header', async () => {
    const names = 'x-api-key api-key proxy-authorization x-authorization x-forwarded-authorization'.split(
      ' ',
    );
    const headers = {
      ...Object.fromEntries(names.map((name) => [name, bearer()])),
      cookie: `authorization=${key}; token=${key}`,
      'x-api-key': key,
    };
    const query = ['key', 'api_key', 'access_token', 'token', 'authorization', 'Authorization']
      .map((name) => `${name}=${key}`)
      .join('&');
    const inBody = { jwtOrApiKey: key, authorization: bearer(), headers: { authorization: bearer() } };
    const answer = await stack.call(`/acme/keyed?${query}`, { headers, json: { input: 'Hello', ...inBody } });
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
});

describe('an address', () => {
  const FORWARDING = [
    ...['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'X-Client-IP', 'Client-IP', 'True-Client-IP', 'Via'],
    ...['CF-Connecting-IP', 'Fastly-Client-IP', 'X-Cluster-Client-IP', 'X-Original-Forwarded-For'],
    ...['X-Originating-IP', 'X-Remote-IP', 'X-Remote-Addr', 'X-Amzn-Source-Ip', 'X-Amz-Source-Ip'],
    'X-ProxyUser-Ip',
  ];
  const claim = (value: string | readonly string[]) =>
    Object.fromEntries(FORWARDING.map((name) => [name, value]));

  it('refuses one that is claimed in headers, in each of their forms, in parameters and body', async () => {
    const names = ['sourceIp', 'ip', 'x-forwarded-for', 'requestContext.identity.sourceIp'];
    const query = names.map((name) => `${name}=127.0.0.1`).join('&');
    const inBody = { sourceIp: '127.0.0.1', requestContext: { identity: { sourceIp: '127.0.0.1' } } };
    const listed = '127.0.0.1';
    for (const value of [[listed, listed], ['127.0.0.1, 127.0.0.2'], ['for=127.0.0.1'], ['"127.0.0.1:80"']]) {
      const answer = await stack.call(`/acme/office?${query}`, {
        from: '127.0.0.2',
        headers: claim(value),
        json: { input: 'Hello', ...inBody },
      });
      expectError(answer, 403, 'ip_not_allowed');
    }
  });

  it.runIf(isLocal)('that is listed stays so, whatever headers claim', async () => {
    expectRaw(await call('/acme/office', { headers: claim('127.0.0.2') }), 'in');
  });
});

describe('a Referer', () => {
  it.runIf(isLocal).each([
    [
      'two, whatever the case of their names',
      'Referer: https://app.example.com/',
      'REFERER: https://app.example.com/',
    ],
    ['two, a foreign one first', 'rEFERER: https://attacker.example/', 'Referer: https://app.example.com/'],
    ['two with another header between them', 'Referer: https://app.example.com/', 'X-A: 1', 'Referer: '],
    ['letters that look alike (Cyrillic)', 'Referer: https://аpp.example.com/'],
    ['letters that parsing would mend (full width)', 'Referer: https://ａpp.example.com/'],
    ['a dot that parsing would mend (ideographic)', 'Referer: https://app。example.com/'],
    ['a soft hyphen that parsing would leave out', 'Referer: https://app.exam\u00adple.com/'],
    ['a tab that parsing would leave out', 'Referer: https://app.exam\tple.com/'],
  ])('refuses %s', async (_name, ...lines) => {
    expectRawError(await sendLines(stack.url, '/acme/pages', ...lines), 403, 'referer_not_allowed');
  });

  it('that is misspelled is absent, which is let in', async () => {
    expectRaw(await call('/acme/pages', { headers: { referrer: 'https://attacker.example/' } }), 'in');
  });
});

describe('a path', () => {
  const PATHS = `/evil/../acme/keyed /evil/%2e%2e/acme/keyed /evil/keyed%2f..%2f..%2facme%2fkeyed
    /evil%2f..%2facme/keyed /evil%23..%23acme/keyed /acme%23NEURON%23keyed/keyed /ORG%23acme/keyed
    /ORG%23acme/NEURON%23keyed /acme/NEURON%23keyed /acme/keyed%23 /acme/keyed%00 /acme%00/keyed
    /acme/keyed%20 /%20acme/keyed /acme/keyed;neuron=keyed /acme/KEYED /Acme/keyed /acme/key%C3%A9d
    /acme/%EF%BD%8Beyed /acme/keyed%0d%0aX-Injected:%201 /acme/META /SERVICE/MAINTENANCE
    /acme/VERSION%23x /acme/keyed/v1 /acme/__proto__ /constructor/prototype`.split(/\s+/);

  it.each(PATHS)('refuses to open another neuron by %s', async (path) => {
    for (const options of [{}, { headers: { authorization: `Bearer ${evilKey}` } }]) {
      const answer = await stack.call(path, { json: { input: 'Hello' }, ...options });
      expect([401, 404]).toContain(answer.status);
      expect(['unauthorized', 'not_found', 'route_not_found']).toContain(answer.json()['code']);
      expect(answer.headers['x-injected']).toBeUndefined();
      expectNothingInternal(answer);
    }
  });

  it('refuses every other method, also with a key, and the names of methods in headers', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE']) {
      const answer = await stack.call('/acme/keyed', { method, headers: { authorization: bearer() } });
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
    const paths = ['/', '/keys', '/acme', '/acme/keys', '/acme/keyed/keys/list', '/_admin', '/acme/closed'];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const json = method === 'POST' ? { json: {} } : {};
        const answer = await stack.call(path, { method, headers: { authorization: bearer() }, ...json });
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
    const headers = { authorization: bearer() };
    const answer = await stack.call('/acme/keyed', { json: { input: 'Hello', ...control }, headers });
    expect(answer.json()).toEqual({ output: 'in', fromCache: false, executionStopped: false });
  });
});
