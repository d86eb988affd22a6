// Requests over real sockets, against servers that misbehave in every way. The hook of the local run is set, so that there
// is a server to connect to; what happens without it is in address.test.ts.
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Http, HttpRequest } from '../../../adapters/http/message.ts';
import { listen, type RawServer, startRawServer } from './raw-server.ts';

let http: Http;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createHttp } = await import('../../../adapters/http/request.ts');
  http = createHttp();
});

const never = () => new AbortController().signal;

function post(server: RawServer, detail: Partial<HttpRequest> = {}) {
  return http({ method: 'POST', url: server.url, body: '{}', maxBytes: 1_000, signal: never(), ...detail });
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

describe('a request', () => {
  it('sends its method, path, headers and body, and asks for no encoding', async () => {
    const server = await startRawServer((socket) => socket.end(OK));
    await post(server, {
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: 'né',
    });
    const [sent] = server.received;
    expect(sent).toMatch(/^POST \/v1 HTTP\/1\.1\r\n/);
    expect(sent?.toLowerCase()).toContain('\r\naccept-encoding: identity\r\n');
    expect(sent).toContain('\r\nauthorization: Bearer k\r\n');
    expect(sent?.toLowerCase()).toContain('\r\ncontent-length: 3\r\n');
    expect(sent?.endsWith('\r\n\r\nn\xc3\xa9')).toBe(true);
  });

  it('gives status, headers in lower case and the bytes of the body', async () => {
    const server = await startRawServer((socket) =>
      socket.end(
        'HTTP/1.1 418 Teapot\r\nRetry-After: 7\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\n\xff\x00',
        'latin1',
      ),
    );
    const answer = await post(server);
    expect(answer).toMatchObject({ status: 418, headers: { 'retry-after': '7', 'x-a': '1, 2' } });
    expect([...answer.body]).toEqual([0xff, 0]);
  });

  it('reads chunked bodies, and bodies that end with the connection', async () => {
    const chunked = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n'),
    );
    expect(Buffer.from((await post(chunked)).body).toString()).toBe('abcd');
    const closing = await startRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nto the end'));
    expect(Buffer.from((await post(closing)).body).toString()).toBe('to the end');
  });

  it('reads past 100 Continue and 103 Early Hints to the answer', async () => {
    const server = await startRawServer((socket) =>
      socket.end(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${OK}`),
    );
    expect((await post(server)).status).toBe(200);
  });

  it('keeps the connection of a POST for the next, and opens a new one for every GET', async () => {
    const posts = await startRawServer((socket) => socket.write(OK));
    await post(posts);
    await post(posts);
    expect(posts.received).toHaveLength(1);
    const gets = await startRawServer((socket) => socket.write(OK));
    const get = () => http({ method: 'GET', url: gets.url, maxBytes: 1_000, signal: never() });
    await get();
    await get();
    expect(gets.received).toHaveLength(2);
  });

  it('does not follow a redirect', async () => {
    const target = await startRawServer((socket) => socket.end(OK));
    const server = await startRawServer((socket) =>
      socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect((await post(server)).status).toBe(307);
    expect(target.received).toEqual([]);
  });

  it('connects to localhost by name', async () => {
    const server = await startRawServer((socket) => socket.end(OK));
    const answer = await post(server, { url: `http://localhost:${server.port}/` });
    expect(answer.status).toBe(200);
  });
});

describe('a name with several addresses', () => {
  const resolvingTo = async (...addresses: string[]) => {
    const { createHttp } = await import('../../../adapters/http/request.ts');
    return createHttp(async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

  it('is connected to at the one that answers', async () => {
    const server = await startRawServer((socket) => socket.end(OK));
    const send = await resolvingTo('::1', '127.0.0.1');
    const url = `http://localhost:${server.port}/`;
    expect((await send({ method: 'POST', url, maxBytes: 10, signal: never() })).status).toBe(200);
  });

  it('is refused in the local run, too, when a public name points at this machine', async () => {
    const server = await startRawServer((socket) => socket.end(OK));
    const send = await resolvingTo('127.0.0.1', '::1');
    const url = `https://api.example.com:${server.port}/`;
    await expect(send({ method: 'POST', url, maxBytes: 10, signal: never() })).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(server.open()).toBe(0);
  });
});

describe('a request fails', () => {
  const failing = (kind: string) => expect.objectContaining({ name: 'HttpFailure', kind });

  it('as cut when the body is shorter than announced', async () => {
    const server = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf'),
    );
    await expect(post(server)).rejects.toEqual(failing('cut'));
  });

  it('as cut when a chunked body misses its end', async () => {
    const server = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'),
    );
    await expect(post(server)).rejects.toEqual(failing('cut'));
  });

  it('as cut when the connection ends or is reset before an answer', async () => {
    const ending = await startRawServer((socket) => socket.end());
    await expect(post(ending)).rejects.toEqual(failing('cut'));
    const resetting = await startRawServer((socket) => socket.resetAndDestroy());
    await expect(post(resetting)).rejects.toEqual(failing('cut'));
    const within = await startRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'));
    await expect(post(within)).rejects.toEqual(failing('cut'));
  });

  it('as cut when the server switches to another protocol, which Node ends without an error', async () => {
    const server = await startRawServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
    );
    await expect(post(server)).rejects.toEqual(failing('cut'));
    await expect.poll(() => server.open()).toBe(0);
  });

  it('as malformed when the answer is not HTTP', async () => {
    const server = await startRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    await expect(post(server)).rejects.toEqual(failing('malformed'));
  });

  it('as malformed when length and chunks contradict each other', async () => {
    const server = await startRawServer((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      ),
    );
    await expect(post(server)).rejects.toEqual(failing('malformed'));
  });

  it('as malformed when the answer is encoded all the same, without unpacking it', async () => {
    const server = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi'),
    );
    await expect(post(server)).rejects.toEqual(failing('malformed'));
  });

  it('as too large at the first byte beyond the bound, announced or not, and lets go of the connection', async () => {
    const announced = await startRawServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n'),
    );
    await expect(post(announced)).rejects.toEqual(failing('too_large'));
    const endless = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pump = () => {
        while (!socket.destroyed && socket.write('x'.repeat(10_000)));
      };
      socket.on('drain', pump);
      pump();
    });
    await expect(post(endless)).rejects.toEqual(failing('too_large'));
    await expect.poll(() => announced.open() + endless.open()).toBe(0);
  });

  it('takes a body of exactly the bound', async () => {
    const server = await startRawServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'x'.repeat(1_000)}`),
    );
    expect((await post(server)).body.byteLength).toBe(1_000);
  });

  it.each([
    ['says nothing', ''],
    ['stops within its headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['stops within its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
  ])('as aborted when the server %s until the signal', async (_what, bytes) => {
    const server = await startRawServer((socket) => socket.write(bytes));
    const input = new AbortController();
    const answer = post(server, { signal: input.signal });
    const settled = expect(answer).rejects.toEqual(failing('aborted'));
    await expect.poll(() => server.received.length).toBe(1);
    await wait(20);
    input.abort(new Error('deadline'));
    await settled;
    await expect.poll(() => server.open()).toBe(0);
  });

  it('as aborted by a trickle that never ends: the signal bounds the whole exchange', async () => {
    const server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const trickle = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(trickle));
    });
    await expect(post(server, { signal: AbortSignal.timeout(100) })).rejects.toEqual(failing('aborted'));
  });

  it('as aborted without connecting when the signal has aborted already', async () => {
    const server = await startRawServer((socket) => socket.end(OK));
    await expect(post(server, { signal: AbortSignal.abort() })).rejects.toEqual(failing('aborted'));
    expect(server.open()).toBe(0);
    expect(server.received).toEqual([]);
  });

  it('as unreachable when nobody listens', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const nobody = http({ method: 'POST', url: `http://127.0.0.1:${port}/`, maxBytes: 1, signal: never() });
    await expect(nobody).rejects.toEqual(failing('unreachable'));
  });

  it('naming the host alone: no path, query, header or body', async () => {
    const server = await startRawServer((socket) => socket.end());
    const failure = await post(server, {
      url: `${server.url}/canary-path?key=canary-query`,
      headers: { authorization: 'canary-header' },
      body: 'canary-body',
    }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ message: '127.0.0.1 ended the connection before its answer was whole' });
    expect(JSON.stringify([failure, String((failure as Error).cause)])).not.toContain('canary');
  });
});
