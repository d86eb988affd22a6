// The events that functions receive. Expected: API Gateway Developer Guide, "Input format of a Lambda function for proxy
// integration"; paths, cases and queries as recorded from REST APIs.
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../fixtures/http-raw.ts';
import {
  apiResource,
  buffered,
  lambdaFunction,
  method,
  restApi,
  runApi,
  stage,
} from '../fixtures/http-template.ts';

interface Event {
  headers: Record<string, string>;
  multiValueHeaders: Record<string, string[]>;
  requestContext: Record<string, unknown> & { identity: Record<string, unknown> };
  [name: string]: unknown;
}

const RESOURCES = [
  lambdaFunction('event', 'index.event'),
  restApi({ BinaryMediaTypes: ['image/png', 'audio/*'] }),
  stage({ Variables: { colour: 'blue' } }),
  apiResource('open', 'root', 'open'),
  apiResource('thing', 'open', '{thing}'),
  method('thing', 'ANY', buffered('event')),
];

const api = await runApi(RESOURCES);

const call = async (path: string, options: RequestInit = {}) =>
  (await (await fetch(`${api.url}${path}`, options)).json()) as Event;

/** Sends the lines of a head and a body as they are, and reads the event from the answer. */
async function callRaw(head: string, body: string | Buffer = ''): Promise<Event> {
  const bytes = Buffer.concat([
    Buffer.from(`${head.trim().replaceAll('\n', '\r\n')}\r\n\r\n`),
    Buffer.from(body),
  ]);
  const answer = await sendRaw(api.port, bytes);
  return JSON.parse(Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString()) as Event;
}

describe('the event of a proxy integration', () => {
  it('has all members of the documented form', async () => {
    const event = await callRaw(
      `
POST /open/7?a=1&b=x+y&a=2 HTTP/1.1
Host: api.example.com
user-agent: tester/1
Content-Type: application/json
Content-Length: 7
Connection: close
tEsT-HEADeR: aValUE`,
      '{"a":1}',
    );
    const { requestContext, headers, multiValueHeaders, ...rest } = event;
    expect(rest).toEqual({
      resource: '/open/{thing}',
      path: '/open/7',
      httpMethod: 'POST',
      queryStringParameters: { a: '2', b: 'x y' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: ['x y'] },
      pathParameters: { thing: '7' },
      stageVariables: { colour: 'blue' },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
    const { extendedRequestId, requestId, requestTime, requestTimeEpoch, ...context } = requestContext;
    expect(context).toEqual({
      resourceId: 'thing',
      resourcePath: '/open/{thing}',
      httpMethod: 'POST',
      path: '/test/open/7',
      accountId: '123456789012',
      protocol: 'HTTP/1.1',
      stage: 'test',
      domainPrefix: 'localhost',
      domainName: 'localhost',
      deploymentId: 'deployment',
      apiId: 'api',
      identity: {
        accessKey: null,
        accountId: null,
        caller: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: '127.0.0.1',
        user: null,
        userAgent: 'tester/1',
        userArn: null,
      },
    });
    expect(requestId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(extendedRequestId).toMatch(/^[A-Za-z0-9+/]{15}=$/);
    expect(requestTime).toMatch(/^\d\d\/[A-Z][a-z]{2}\/20\d\d:\d\d:\d\d:\d\d \+0000$/);
    expect(requestTimeEpoch).toBeGreaterThan(1_700_000_000_000);
    const { 'X-Amzn-Trace-Id': trace, ...sent } = headers;
    expect(trace).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
    expect(sent).toEqual({
      Host: 'api.example.com',
      'User-Agent': 'tester/1',
      'Content-Type': 'application/json',
      'tEsT-HEADeR': 'aValUE',
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Port': String(api.port),
      'X-Forwarded-Proto': 'http',
    });
    expect(Object.keys(multiValueHeaders).sort()).toEqual(Object.keys(headers).sort());
    expect(multiValueHeaders['tEsT-HEADeR']).toEqual(['aValUE']);
  });

  it('has null where there is nothing', async () => {
    expect(await call('/open/7')).toMatchObject({
      body: null,
      isBase64Encoded: false,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
    expect((await call('/open/7?'))['queryStringParameters']).toBeNull();
  });

  it('keeps every value of a repeated header, the last one alone where there is one', async () => {
    const event = await callRaw(`
GET /open/7 HTTP/1.1
Host: a
Authorization: Bearer one
authorization: Bearer two
Referer: https://a.example
Referer: https://b.example
X-Twice: 1
x-twice: 2
__proto__: x
constructor: y
X-Forwarded-For: 203.0.113.9, 198.51.100.7
Connection: close`);
    expect(event.multiValueHeaders).toMatchObject({
      Authorization: ['Bearer one', 'Bearer two'],
      Referer: ['https://a.example', 'https://b.example'],
      'X-Twice': ['1'],
      'x-twice': ['2'],
      'X-Forwarded-For': ['203.0.113.9, 198.51.100.7, 127.0.0.1'],
    });
    expect(event.headers).toMatchObject({ Authorization: 'Bearer two', Referer: 'https://b.example' });
    expect(Object.keys(event.headers)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
    expect(event.requestContext.identity['sourceIp']).toBe('127.0.0.1');
  });

  it('drops the headers that concern the connection only', async () => {
    const event = await callRaw(
      `
POST /open/7 HTTP/1.1
Host: a
Connection: close
TE: trailers
Trailer: x
Upgrade: h2c
Max-Forwards: 3
Proxy-Authenticate: x
Transfer-Encoding: chunked
Server: x
Content-MD5: x
Proxy-Authorization: stays`,
      '2\r\nok\r\n0\r\n\r\n',
    );
    expect(Object.keys(event.headers).sort()).toEqual([
      'Host',
      'Proxy-Authorization',
      'X-Amzn-Trace-Id',
      'X-Forwarded-For',
      'X-Forwarded-Port',
      'X-Forwarded-Proto',
    ]);
    expect(event['body']).toBe('ok');
  });

  it.each([
    ['/open/7/', '/open/7/', '/test/open/7/', { thing: '7' }],
    ['//open/7', '/open/7', '/test//open/7', { thing: '7' }],
    ['///open/7', '/open/7', '/test///open/7', { thing: '7' }],
    ['/open/a%2Fb', '/open/a%2Fb', '/test/open/a%2Fb', { thing: 'a%2Fb' }],
    ['/open/%C3%BC+%20', '/open/%C3%BC+%20', '/test/open/%C3%BC+%20', { thing: '%C3%BC+%20' }],
  ])('has the path %s as %s', async (sent, path, contextPath, pathParameters) => {
    const event = await callRaw(`GET ${sent} HTTP/1.1\nHost: a\nConnection: close`);
    expect(event).toMatchObject({ path, pathParameters, requestContext: { path: contextPath } });
  });

  it('reads a target that is a whole URL', async () => {
    const event = await callRaw(
      'GET http://elsewhere.example/open/7?x=1 HTTP/1.1\nHost: a\nConnection: close',
    );
    expect(event).toMatchObject({ path: '/open/7', queryStringParameters: { x: '1' } });
  });

  it.each([
    ['plus=a+b&percent=%2B&utf8=%C3%BC', { plus: 'a b', percent: '+', utf8: 'ü' }],
    ['a&b=&=c', { a: '', b: '', '': 'c' }],
    ['a=1;b=2', { a: '1', b: '2' }],
    ['a=%zz&__proto__=x', JSON.parse('{"a":"%zz","__proto__":"x"}')],
    ['url=https://www.example.com/?x', { url: 'https://www.example.com/?x' }],
  ])('decodes the query %s', async (query, expected) => {
    const event = await callRaw(`GET /open/7?${query} HTTP/1.1\nHost: a\nConnection: close`);
    expect(event['queryStringParameters']).toEqual(expected);
  });

  it('takes the request id from the caller, never the extended one', async () => {
    const headers = { 'x-amzn-requestid': 'mine', 'x-amz-apigw-id': 'mine', 'x-amzn-trace-id': 'mine' };
    const [first, second] = [await call('/open/7', { headers }), await call('/open/7', { headers })];
    expect(first?.requestContext['requestId']).toBe('mine');
    expect(second?.requestContext['requestId']).toBe('mine');
    expect(first?.requestContext['extendedRequestId']).not.toBe(second?.requestContext['extendedRequestId']);
    expect(first?.requestContext['extendedRequestId']).not.toBe('mine');
    expect(
      (await call('/open/7', { headers: { 'x-amzn-requestid': 'with space' } })).requestContext['requestId'],
    ).not.toBe('with space');
  });

  it('has the method that X-HTTP-Method-Override names, and not the header', async () => {
    const event = await call('/open/7', { method: 'POST', headers: { 'X-HTTP-Method-Override': 'delete' } });
    expect(event['httpMethod']).toBe('DELETE');
    expect(Object.keys(event.headers).map((name) => name.toLowerCase())).not.toContain(
      'x-http-method-override',
    );
  });

  it.each([
    ['image/png', true],
    ['audio/ogg; codecs=opus', true],
    ['image/jpeg', false],
    ['application/octet-stream', false],
  ])('has a body of type %s as base64: %s', async (type, binary) => {
    const event = await call('/open/7', {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.from([0xff, 0x41]),
    });
    expect(event).toMatchObject({ body: binary ? '/0E=' : '\ufffdA', isBase64Encoded: binary });
  });

  it('has a long text of all kinds of characters whole, in requests beside each other and in small chunks', async () => {
    const texts = ['a', 'é', '€', '😀', '"\\\n'].map((part, index) => part.repeat(70_000 + index));
    const bodies = await Promise.all(
      texts.map(async (text) => (await call('/open/7', { method: 'POST', body: text }))['body']),
    );
    expect(bodies.map((body, index) => body === texts[index])).toEqual(texts.map(() => true));
    const bytes = Buffer.from('é€😀'.repeat(200));
    const chunks = [...bytes].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    );
    const head = 'POST /open/7 HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nConnection: close';
    expect((await callRaw(head, Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])))['body']).toBe(
      bytes.toString(),
    );
  });

  it('has text as UTF-8 and replaces what is none', async () => {
    const utf16 = Buffer.from('{"input":"ü"}', 'utf16le');
    const event = await call('/open/7', { method: 'POST', body: utf16 });
    expect(event['body']).toBe('{\0"\0i\0n\0p\0u\0t\0"\0:\0"\0\ufffd\0"\0}\0');
  });
});

describe('the caller’s address', () => {
  it('is the last one of X-Forwarded-For when the tests ask for it', async () => {
    const trusting = await runApi(RESOURCES, { trustForwardedFor: true });
    const address = async (headers: Record<string, string>) =>
      ((await (await fetch(`${trusting.url}/open/7`, { headers })).json()) as Event).requestContext.identity[
        'sourceIp'
      ];
    expect(await address({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7' })).toBe('198.51.100.7');
    expect(await address({})).toBe('127.0.0.1');
    await trusting.stop();
  });
});
