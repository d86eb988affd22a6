// HTTP calls as any client makes them: every header under the test's hand, every byte of the answer kept.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';

/** An answer; header names in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): Record<string, unknown>;
}

/** What to send; POST with a JSON body where nothing else is said. */
export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Becomes a JSON body. */
  readonly json?: unknown;
  /** The body as it is. */
  readonly body?: string | Uint8Array;
  /** The address to call from, such as 127.0.0.2: on Linux all of 127.0.0.0/8 is this machine. */
  readonly from?: string;
  /** Aborts when the caller goes away. */
  readonly signal?: AbortSignal;
}

const MAX_CALL_MS = 55_000;

/** Calls a URL; the path goes over the wire as it is written here. */
export function callUrl(origin: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const url = new URL(origin);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const body = options.body ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  return new Promise((resolve, reject) => {
    const request = send(
      {
        hostname: url.hostname,
        port: url.port,
        path: url.pathname.replace(/\/$/, '') + path,
        method: options.method ?? 'POST',
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.headers as Record<string, string | string[]>),
        },
        agent: false,
        ...(options.from === undefined ? {} : { localAddress: options.from }),
        signal: AbortSignal.any([
          AbortSignal.timeout(MAX_CALL_MS),
          ...(options.signal ? [options.signal] : []),
        ]),
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: () => JSON.parse(text) as Record<string, unknown>,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Sends bytes over a connection of its own, a piece at a time, and gives whatever comes back until it closes. */
export function sendRaw(
  origin: string,
  pieces: readonly (string | Uint8Array)[],
  options: { hangUpAfter?: 'sending' | 'first byte' } = {},
): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const received: Buffer[] = [];
    const done = () => resolve(Buffer.concat(received).toString());
    socket.setTimeout(MAX_CALL_MS, () => socket.destroy(new Error('the connection stayed open')));
    socket.on('data', (piece) => {
      received.push(piece);
      if (options.hangUpAfter === 'first byte') socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close while pieces are on their way: a clean close for this purpose.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') done();
      else reject(error);
    });
    socket.on('close', done);
    socket.on(
      'connect',
      () => void writeAll(socket, pieces).then(() => options.hangUpAfter === 'sending' && socket.destroy()),
    );
  });
}

async function writeAll(
  socket: import('node:net').Socket,
  pieces: readonly (string | Uint8Array)[],
): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await new Promise((resolve) => socket.write(piece, resolve));
  }
}

/**
 * Makes two calls at once, again and again, until one of a pair gets the status: on a machine that is slow enough one of them ends before the
 * other begins. Gives those that got it.
 */
export async function rejectedOfTwo(status: number, next: () => () => Promise<Answer>): Promise<Answer[]> {
  const until = Date.now() + MAX_CALL_MS;
  for (;;) {
    const call = next();
    const rejected = (await Promise.all([call(), call()])).filter((answer) => answer.status === status);
    if (rejected.length > 0) return rejected;
    if (Date.now() > until) throw new Error(`no call of a pair got ${status}`);
  }
}

/** Waits for the next minute in the last ten seconds of one: a request that arrives late counts against the minute after its own. */
export async function leaveEndOfMinute(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 10_000) await new Promise((resolve) => setTimeout(resolve, leftMs));
}
