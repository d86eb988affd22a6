// Tests of how a streamed answer leaves: what comes at once in one write, and each further piece when it comes.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createSink } from '../../http/answers.ts';
import type { ApiRequest } from '../../http/api-request.ts';

const REQUEST = { requestId: 'r', extendedRequestId: 'x', traceId: 't' } as ApiRequest;
const HEAD = { status: 200, headers: [['Content-Type', 'text/plain']] as [string, string][] };
const RESUME = () => undefined;

/** A socket that keeps each write, which would be one system call. */
class RecordingSocket extends Socket {
  readonly pieces: string[] = [];
  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.pieces.push(String(chunk));
    done();
  }
  override _writev(chunks: { chunk: unknown }[], done: () => void): void {
    this.pieces.push(chunks.map(({ chunk }) => String(chunk)).join(''));
    done();
  }
}

function open() {
  const socket = new RecordingSocket();
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, { method: 'POST', httpVersionMajor: 1, httpVersionMinor: 1 });
  const outgoing = new ServerResponse(incoming);
  outgoing.sendDate = false;
  outgoing.assignSocket(socket);
  return { sink: createSink(outgoing, REQUEST), pieces: socket.pieces, outgoing };
}

describe('a streamed answer', () => {
  it('leaves in one write when it comes at once', async () => {
    const { sink, pieces } = open();
    sink.open(HEAD);
    sink.write(Buffer.from('all of it'), RESUME);
    // The end is known some promises later.
    await Promise.resolve();
    sink.close();
    await turn();
    expect(pieces).toEqual([
      expect.stringMatching(/^HTTP\/1.1 200 OK\r\n.*\r\n9\r\nall of it\r\n0\r\n\r\n$/s),
    ]);
  });

  it('leaves before it is cut off', async () => {
    const { sink, pieces } = open();
    sink.open(HEAD);
    sink.write(Buffer.from('some'), RESUME);
    sink.abort();
    await turn();
    expect(pieces).toEqual([expect.stringMatching(/^HTTP\/1.1 200 OK\r\n.*\r\n4\r\nsome\r\n$/s)]);
  });

  it('leaves piece by piece as it comes, the head without waiting for one', async () => {
    const { sink, pieces } = open();
    sink.open(HEAD);
    await turn();
    expect(pieces).toEqual([expect.stringMatching(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\n$/s)]);
    sink.write(Buffer.from('one'), RESUME);
    await turn();
    sink.write(Buffer.from('three'), RESUME);
    await turn();
    sink.close();
    await turn();
    expect(pieces.slice(1)).toEqual(['3\r\none\r\n', '5\r\nthree\r\n', '0\r\n\r\n']);
  });

  it.each(['drain', 'close'])('waits once for room, and tells everybody who waits at %s', (event) => {
    const { sink, outgoing } = open();
    sink.open(HEAD);
    outgoing.write = () => false;
    const resumed: number[] = [];
    for (let piece = 0; piece < 20; piece += 1) {
      expect(sink.write(Buffer.from('more'), () => void resumed.push(piece))).toBe(false);
    }
    expect([outgoing.listenerCount('drain'), outgoing.listenerCount('close')]).toEqual([1, 1]);
    outgoing.emit(event);
    expect(resumed).toEqual(Array.from({ length: 20 }, (_, piece) => piece));
    outgoing.emit('drain');
    expect(resumed).toHaveLength(20);
    expect(sink.write(Buffer.from('more'), () => void resumed.push(20))).toBe(false);
    outgoing.emit('drain');
    expect(resumed).toHaveLength(21);
    expect([outgoing.listenerCount('drain'), outgoing.listenerCount('close')]).toEqual([0, 0]);
  });
});
