// A JWKS server on loopback over TLS, well or ill behaved by path; the certificate that it is known by was made for tests.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The authority that signed the server's certificate: itself. */
export const CA_FILE = fileURLToPath(
  new URL('../adapters/http/fixtures/localhost-certificate.pem', import.meta.url),
);
const KEY_FILE = fileURLToPath(new URL('../adapters/http/fixtures/localhost-key.pem', import.meta.url));

const MEGABYTE = 1_048_576;

/** What a path answers: keys, a status, or one of the ways to misbehave. */
export type Behaviour =
  | { readonly keys: readonly unknown[] }
  | { readonly status: number; readonly keys?: readonly unknown[] }
  | { readonly redirectTo: string }
  | { readonly text: string }
  | 'stall'
  | 'trickle'
  | '200 MB announced'
  | '200 MB sent'
  | 'gzip bomb'
  | 'hang up';

/** The running server. */
export interface JwksServer {
  /** The URL of a path, by the name of the certificate. */
  url(path: string): string;
  readonly port: number;
  /** What a path answers from now on; 404 before. */
  answer(path: string, behaviour: Behaviour): void;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export async function startJwksServer(): Promise<JwksServer> {
  const behaviours = new Map<string, Behaviour>();
  const asked: string[] = [];
  const server = createServer(
    { cert: readFileSync(CA_FILE), key: readFileSync(KEY_FILE) },
    (request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      response.on('error', () => undefined);
      behave(behaviours.get(path) ?? { status: 404 }, request, response);
    },
  );
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path) => `https://localhost:${port}${path}`,
    port,
    answer: (path, behaviour) => void behaviours.set(path, behaviour),
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function behave(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  if (typeof behaviour === 'string') {
    MISBEHAVIOURS[behaviour](response, request);
  } else if ('redirectTo' in behaviour) {
    response.writeHead(302, { location: behaviour.redirectTo }).end();
  } else if ('text' in behaviour) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(behaviour.text);
  } else {
    const status = 'status' in behaviour ? behaviour.status : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(behaviour.keys === undefined ? 'an error' : JSON.stringify({ keys: behaviour.keys }));
  }
}

const MISBEHAVIOURS: Readonly<
  Record<Extract<Behaviour, string>, (response: ServerResponse, request: IncomingMessage) => void>
> = {
  stall: () => undefined,
  trickle(response) {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"keys":[');
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  '200 MB announced'(response) {
    response.writeHead(200, { 'content-length': 200 * MEGABYTE });
    sendSpaces(response, 200);
  },
  '200 MB sent'(response) {
    response.writeHead(200, { 'content-type': 'application/json' });
    sendSpaces(response, 200);
  },
  'gzip bomb'(response) {
    const bomb = gzipSync(`{"keys":[${' '.repeat(100 * MEGABYTE)}]}`);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  },
  'hang up'(response) {
    response.writeHead(200, { 'content-length': 1_000 }).write('{"keys":[');
    setImmediate(() => response.socket?.destroy());
  },
};

/** As fast as they are taken, until the other side has had enough. */
function sendSpaces(response: ServerResponse, megabytes: number): void {
  const piece = Buffer.alloc(MEGABYTE, ' ');
  let left = megabytes;
  const send = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(piece)) {
        response.once('drain', send);
        return;
      }
    }
    response.end();
  };
  send();
}
