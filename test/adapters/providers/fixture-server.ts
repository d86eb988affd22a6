// A server on loopback that answers with fixtures, well or ill, and keeps what it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeAnswer } from './fake-http.ts';

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  /** With its encoding. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an answer comes: `stall`: never; `cut`: half of it; `trickle`: a byte every 50 ms, and never all of it. */
export const CHAOS = ['stall', 'cut', 'trickle'] as const;
/** `reset`: the connection ends before an answer begins. */
export type Chaos = (typeof CHAOS)[number] | 'reset';

/** The running server. */
export interface FixtureServer {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  /** Connections that are open now. */
  open(): Promise<number>;
  stop(): Promise<void>;
}

/** `answerTo` chooses a fixture for a request, or how it goes wrong; undefined is answered 404. */
export async function startFixtureServer(
  answerTo: (request: ReceivedRequest) => FakeAnswer | Chaos | undefined,
): Promise<FixtureServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((one) => {
      received.push(one);
      send(answerTo(one) ?? { status: 404, body: {} }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    open: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(pieces).toString(),
  };
}

function send(answer: FakeAnswer | Chaos, response: ServerResponse): void {
  if (answer === 'stall') return;
  if (answer === 'reset') return void response.destroy();
  if (typeof answer !== 'string') {
    const { status, headers = {}, body, stream, encoding = 'utf8' } = answer;
    const bytes = stream === undefined ? JSON.stringify(body) : Buffer.from(stream, encoding);
    response.writeHead(status, { ...headers }).end(bytes);
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
  if (answer === 'cut') {
    response.write('{"half of', () => response.destroy());
    return;
  }
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}
