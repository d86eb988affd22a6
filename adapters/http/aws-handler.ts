// Sends what a client of the AWS SDK has signed: one timer for each request, and its answer read whole.
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Connections, createConnections } from './connections.ts';
import { http } from './node-http.ts';

/** Times in milliseconds. */
export interface Waits {
  /** For a new connection, its TLS handshake aside. */
  readonly connectionTimeout: number;
  /** From the request to the headers of its answer, and again from there to the end of its body. */
  readonly requestTimeout: number;
}

/** What the SDK asks to be sent; of services whose requests have no query. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array | undefined;
}

/** What came back, as the SDK takes it. */
interface Answer {
  readonly statusCode: number;
  readonly reason: string | undefined;
  /** Names in lower case. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** Not signed. The SDK's own lists versions and features, which it gathers anew for each request. */
const USER_AGENT = 'neuron-execution-service';

/** What Node calls a connection that ended. The SDK takes all of them for a timeout, and tries again (@smithy/node-http-handler 4.14). */
const CUT = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * The SDK's extension point `requestHandler`, in place of its `NodeHttpHandler`, which sets four timers for each request, reads the
 * answer through a stream of its own, and bounds the wait for the headers alone. Errors have the names that the SDK's retries go by:
 * `TimeoutError`, `AbortError`, and those of Node.
 */
export function createAwsHandler(waits: Waits, connections: Connections = createConnections()) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle(
      request: SignedRequest,
      { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
    ): Promise<{ response: Answer }> {
      return send(request, waits, connections, abortSignal);
    },
    /** Ends every connection. */
    destroy(): void {
      connections.httpAgent.destroy();
      connections.httpsAgent.destroy();
    },
  };
}

function send(
  request: SignedRequest,
  { connectionTimeout, requestTimeout }: Waits,
  { httpAgent, httpsAgent }: Connections,
  abortSignal: AbortSignal | undefined,
): Promise<{ response: Answer }> {
  return new Promise((resolve, reject) => {
    if (abortSignal?.aborted) return reject(toAbortError(abortSignal));
    const isTls = request.protocol === 'https:';
    const options = { ...toOptions(request), agent: isTls ? httpsAgent : httpAgent };
    const sent = isTls ? httpsRequest(options) : http.request(options);
    const giveUp = (error: Error): void => {
      reject(error);
      sent.destroy();
    };
    const late = (): void => giveUp(toTimeoutError(`no answer within ${requestTimeout} ms`));
    const timer = setTimeout(late, requestTimeout);
    const onAbort = (): void => giveUp(toAbortError(abortSignal));
    abortSignal?.addEventListener('abort', onAbort, { once: true });
    let isAnswered = false;
    let isWhole = false;
    // Says nothing any more after an error. Without answer or error, Node ends what a server would change to another protocol.
    const gone = (): void => {
      // None is made for a request that went well: its stack took a fiftieth of a call.
      if (!isWhole) reject(toTimeoutError('the connection ended without an answer'));
    };
    sent.once('close', () => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', onAbort);
      // The end of an answer may be read after it.
      if (!isAnswered) gone();
    });
    // Both stay to the end: what a destroyed request emits besides must not end the process.
    const fail = (error: Error): void => giveUp(toError(error));
    sent.on('error', fail);
    sent.once('socket', (socket) => {
      if (!socket.connecting || connectionTimeout >= requestTimeout) return;
      const unconnected = () => giveUp(toTimeoutError(`no connection within ${connectionTimeout} ms`));
      const connecting = setTimeout(unconnected, connectionTimeout);
      socket.once('connect', () => clearTimeout(connecting));
      socket.once('close', () => clearTimeout(connecting));
    });
    sent.once('response', (answer) => {
      isAnswered = true;
      timer.refresh();
      answer.on('error', fail).once('close', gone);
      readWhole(answer, (body) => {
        isWhole = true;
        resolve({ response: toAnswer(answer, body) });
      });
    });
    sent.end(request.body);
  });
}

function readWhole(answer: IncomingMessage, done: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('end', () => {
    const [first, ...more] = chunks;
    done(first !== undefined && more.length === 0 ? first : Buffer.concat(chunks));
  });
}

function toOptions({ hostname, port, method, path, headers }: SignedRequest) {
  // An IPv6 address is in brackets in a URL, and nowhere else.
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  headers['user-agent'] = USER_AGENT;
  return { host, port, method, path, headers };
}

function toAnswer(answer: IncomingMessage, body: Uint8Array): Answer {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(',');
  }
  return { statusCode: answer.statusCode ?? -1, reason: answer.statusMessage, headers, body };
}

function toTimeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' });
}

function toAbortError(signal: AbortSignal | undefined): Error {
  return Object.assign(new Error('the request was given up', { cause: signal?.reason }), {
    name: 'AbortError',
  });
}

function toError(error: Error): Error {
  return 'code' in error && CUT.has(String(error.code))
    ? Object.assign(error, { name: 'TimeoutError' })
    : error;
}
