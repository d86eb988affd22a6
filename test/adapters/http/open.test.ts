// Answers that are read as they come, over real sockets, from servers that misbehave after their headers.
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenHttp } from '../../../adapters/http/message.ts';
import { type RawServer, startRawServer } from './raw-server.ts';

let openHttp: OpenHttp;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createOpenHttp } = await import('../../../adapters/http/request.ts');
  openHttp = createOpenHttp();
});

const never = new AbortController().signal;
const open = ({ url }: RawServer, signal = never) => openHttp({ method: 'POST', url, body: '{}', signal });

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('an open answer', () => {
  it('is there with its headers, and its body comes as it is sent', async () => {
    let socket: Socket | undefined;
    const server = await startRawServer((one) => {
      socket = one;
      one.write(CHUNKED);
    });
    const answer = await open(server);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    const body = answer.body[Symbol.asyncIterator]();
    for (const text of ['one', 'two']) {
      socket?.write(chunk(text));
      expect(Buffer.from((await body.next()).value as Uint8Array).toString()).toBe(text);
    }
    socket?.write('0\r\n\r\n');
    expect(await body.next()).toMatchObject({ done: true });
  });

  it('leaves its connection to the next request when it was read to its end', async () => {
    const server = await startRawServer((socket) => socket.write(`${CHUNKED}${chunk('hi')}0\r\n\r\n`));
    expect(await readText((await open(server)).body)).toBe('hi');
    expect(await readText((await open(server)).body)).toBe('hi');
    expect(server.received).toHaveLength(1);
  });

  it('closes its connection when its reader leaves, or closes it unread', async () => {
    const server = await startRawServer((socket) => socket.write(`${CHUNKED}${chunk('one')}`));
    for await (const _piece of (await open(server)).body) break;
    await vi.waitFor(() => expect(server.open()).toBe(0), 10_000);
    const unread = await open(server);
    unread.close();
    unread.close();
    await vi.waitFor(() => expect(server.open()).toBe(0), 10_000);
  });

  it('is sent no faster than it is read', async () => {
    const PIECES = 1_024;
    let flushed = 0;
    const server = await startRawServer((socket) => {
      socket.write(CHUNKED);
      const piece = chunk('x'.repeat(64 * 1024));
      for (let at = 0; at < PIECES; at += 1) {
        socket.write(piece, (error) => {
          if (!error) flushed += 1;
        });
      }
    });
    const answer = await open(server);
    await answer.body[Symbol.asyncIterator]().next();
    // 64 MiB would be through loopback by then; its buffers take a few.
    await wait(300);
    expect(flushed).toBeLessThan(PIECES / 2);
    answer.close();
  });
});

describe('the body of an open answer fails', () => {
  const failing = (kind: string) => expect.objectContaining({ name: 'HttpFailure', kind });

  it.each([
    [
      'ends before its length',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf'),
      'cut',
    ],
    [
      'ends without the end of its chunks',
      (socket: Socket) => socket.end(`${CHUNKED}${chunk('half')}`),
      'cut',
    ],
    [
      'has a chunk without a length',
      (socket: Socket) => socket.end(`${CHUNKED}${chunk('half')}zz\r\n`),
      'malformed',
    ],
  ])('as it %s', async (_how, send, kind) => {
    const server = await startRawServer(send);
    const reading = open(server).then(({ body }) => readText(body));
    await expect(reading).rejects.toEqual(failing(kind));
  });

  it('where the connection is reset behind the headers, read at once or later', async () => {
    const server = await startRawServer((socket) => {
      socket.write(`${CHUNKED}${chunk('half')}`, () => socket.resetAndDestroy());
    });
    const reading = async (delayMs: number) => {
      const answer = await open(server);
      await wait(delayMs);
      return readText(answer.body);
    };
    await expect(reading(0)).rejects.toEqual(failing('cut'));
    await expect(reading(50)).rejects.toEqual(failing('cut'));
  });

  it('as aborted when the signal says so, with the connection closed', async () => {
    const server = await startRawServer((socket) => socket.write(`${CHUNKED}${chunk('half')}`));
    const input = new AbortController();
    const answer = await open(server, input.signal);
    const body = answer.body[Symbol.asyncIterator]();
    await body.next();
    const more = body.next();
    input.abort();
    await expect(more).rejects.toEqual(failing('aborted'));
    await vi.waitFor(() => expect(server.open()).toBe(0), 10_000);
  });

  it('before there is one where it is encoded', async () => {
    const server = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi'),
    );
    await expect(open(server)).rejects.toEqual(failing('malformed'));
  });
});
