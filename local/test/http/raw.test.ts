// Bytes that no well-behaved client sends: each gets an answer or a clean close, and the server lives. Limits: API Gateway
// Developer Guide, "Quotas for configuring and running a REST API"; framing: RFC 9112.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../fixtures/http-raw.ts';
import {
  AUTHORIZED,
  apiResource,
  authorizer,
  buffered,
  lambdaFunction,
  method,
  restApi,
  runApi,
  show,
  stage,
  streaming,
} from '../fixtures/http-template.ts';

const api = await runApi([
  lambdaFunction('length', 'index.length'),
  lambdaFunction('stream', 'index.stream'),
  lambdaFunction('authorize', 'index.authorize'),
  restApi(),
  stage(),
  authorizer('authorize'),
  apiResource('length', 'root', 'length'),
  apiResource('stream', 'root', 'stream'),
  apiResource('deep', 'root', '{deep+}'),
  method('length', 'POST', buffered('length')),
  method('stream', 'POST', streaming('stream')),
  method('deep', 'GET', buffered('length'), AUTHORIZED),
]);

const post = (body: string | Buffer) => fetch(`${api.url}/length`, { method: 'POST', body });

afterEach(async () => {
  expect(await show(await post('alive'))).toBe('200 5');
});

describe('a body', () => {
  it('of 3 MB arrives whole; one whose event is over 6 MB is 413', async () => {
    expect(await show(await post('x'.repeat(3_000_000)))).toBe('200 3000000');
    expect(await show(await post('x'.repeat(6_291_556)))).toBe('413 {"message":"Request Too Long"}');
    // Each quotation mark has two bytes in the event.
    expect(await show(await post('"'.repeat(3_200_000)))).toBe('413 {"message":"Request Too Long"}');
  });

  it('of more than 10 MB is 413, announced or not', async () => {
    const expected = '413 {"message":"HTTP content length exceeded 10485760 bytes."}';
    const response = await post(Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
    expect(response.headers.get('x-amzn-errortype')).toBe('RequestTooLargeException');
    expect(await show(response)).toBe(expected);
    const stream = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 11; index += 1) controller.enqueue(Buffer.alloc(1024 * 1024, 'x'));
        controller.close();
      },
    });
    const chunked = await fetch(`${api.url}/length`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(await show(chunked)).toBe(expected);
  });

  it('of 100,000 nested lists arrives as it is', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await show(await post(deep))).toBe('200 200000');
  });

  it('in chunks is assembled', async () => {
    const answer = await sendRaw(
      api.port,
      'POST /length HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nHello\r\n1;x=y\r\n!\r\n0\r\nTrailer: x\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n6$/s);
  });

  it('that never ends runs nothing when its caller leaves', async () => {
    const before = api.lines.length;
    for (const head of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const socket = connect(api.port, '127.0.0.1');
      socket.write(`POST /length HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n5\r\nHello`);
      await sleep(50);
      socket.destroy();
    }
    await sleep(50);
    expect(api.lines.slice(before)).toEqual([]);
  });

  it('announced with Expect: 100-continue is asked for', async () => {
    const request =
      'POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(api.port, request, '100 Continue')).toMatch(/^HTTP\/1\.1 100 Continue/);
  });
});

describe('a malformed request', () => {
  it.each([
    ['noise', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['two lengths', 'POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    ],
    [
      'a chunk without a size',
      'POST /length HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['another protocol', 'GET / SPDY/3\r\n\r\n'],
  ])('gets 400 and a closed connection: %s', async (_name, bytes) => {
    expect(await sendRaw(api.port, bytes)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('may close at once without harm', async () => {
    for (let index = 0; index < 20; index += 1) {
      const socket = connect(api.port, '127.0.0.1');
      socket.on('connect', () => socket.resetAndDestroy());
    }
    await sleep(50);
  });
});

describe('head limits', () => {
  it('are 10,240 bytes of headers', async () => {
    const get = (bytes: number) =>
      fetch(`${api.url}/length`, { method: 'POST', headers: { 'x-a': 'x'.repeat(bytes) } });
    expect((await get(9_900)).status).toBe(200);
    expect(await show(await get(10_300))).toBe('431 {"message":"HTTP header is larger than 10240 bytes."}');
    const request = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`;
    expect(await sendRaw(api.port, request)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('are 10,240 characters of URL, and 1,600 bytes of method ARN where an authorizer is asked', async () => {
    expect((await fetch(`${api.url}/length?${'x'.repeat(9_000)}`, { method: 'POST' })).status).toBe(200);
    expect((await fetch(`${api.url}/length?${'x'.repeat(10_240)}`, { method: 'POST' })).status).toBe(414);
    const headers = { 'x-verdict': '{"resource":"*"}' };
    expect((await fetch(`${api.url}/${'x'.repeat(1_400)}`, { headers })).status).toBe(200);
    expect((await fetch(`${api.url}/${'x'.repeat(1_600)}`, { headers })).status).toBe(414);
  });
});

describe('connections', () => {
  it('serve request after request', async () => {
    const one = 'POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab';
    const last = 'POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
    const answer = await sendRaw(api.port, one + one + last);
    expect([...answer.matchAll(/\r\n\r\n(\d)/g)].map((match) => match[1])).toEqual(['2', '2', '3']);
  });

  it('may be HTTP/1.0', async () => {
    const answer = await sendRaw(
      api.port,
      'POST /stream HTTP/1.0\r\nContent-Length: 18\r\n\r\n{"chunks":["a","b"]}'.replace('18', '20'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.endsWith('ab')).toBe(true);
  });

  it('are taken on 127.0.0.1 only', () => {
    expect(api.url).toBe(`http://127.0.0.1:${api.port}`);
  });

  it.each(['OPTIONS * HTTP/1.1', 'PROPFIND / HTTP/1.1', 'TRACE /length HTTP/1.1'])(
    'refuses %s like an unknown route',
    async (line) => {
      expect(await sendRaw(api.port, `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 403 /,
      );
    },
  );

  it('refuses CONNECT by closing', async () => {
    expect(await sendRaw(api.port, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n').catch(() => '')).toBe('');
  });
});
