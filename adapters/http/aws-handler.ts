// Sends the signed requests of the AWS SDK: one timer for each request, and its answer read whole.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Connections, createConnections } from './connections.ts';
import { type ExchangeFailure, exchange, toHeaders } from './exchange.ts';
import { http } from './node-http.ts';

/** Times in milliseconds. */
export interface Waits {
  /** For a new connection, its TLS handshake aside. */
  readonly connectionTimeout: number;
  /** From the request to the headers of its answer, and again from there to the end of its body. */
  readonly requestTimeout: number;
}

/** A request of the SDK; of services whose requests have no query. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array | undefined;
}

/** An answer as the SDK takes it. */
interface Answer {
  readonly statusCode: number;
  readonly reason: string | undefined;
  /** Names in lower case. */
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** Not signed. The SDK's own lists versions and features, which it gathers anew for each request. */
const USER_AGENT = 'neuron-execution-service';

/** Node's codes for a connection that ended. The SDK takes all of them for a timeout, and tries again (@smithy/node-http-handler 4.14). */
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
      const options = {
        body: request.body,
        signal: abortSignal,
        connectMs: waits.connectionTimeout,
        connectEvent: 'connect',
        answerMs: waits.requestTimeout,
      } as const;
      return exchange<{ response: Answer }>(() => open(request, connections), options, {
        read: readWhole,
        toError: (failure) => toError(failure, waits, abortSignal),
      });
    },
    destroy(): void {
      connections.httpAgent.destroy();
      connections.httpsAgent.destroy();
    },
  };
}

function open(
  { protocol, hostname, port, method, path, headers }: SignedRequest,
  { httpAgent, httpsAgent }: Connections,
): ClientRequest {
  // An IPv6 address is in brackets in a URL, and nowhere else.
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  headers['user-agent'] = USER_AGENT;
  return protocol === 'https:'
    ? httpsRequest({ host, port, method, path, headers, agent: httpsAgent })
    : http.request({ host, port, method, path, headers, agent: httpAgent });
}

function readWhole(
  answer: IncomingMessage,
  resolve: (answer: { response: Answer }) => void,
  fail: (failure: ExchangeFailure) => Error,
): void {
  const chunks: Buffer[] = [];
  let isWhole = false;
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('end', () => {
    isWhole = true;
    const [first, ...more] = chunks;
    const body = first !== undefined && more.length === 0 ? first : Buffer.concat(chunks);
    const { statusCode = -1, statusMessage: reason } = answer;
    resolve({ response: { statusCode, reason, headers: toHeaders(answer), body } });
  });
  answer.once('close', () => {
    if (!isWhole) fail({ kind: 'closed' });
  });
}

function toError(
  failure: ExchangeFailure,
  { connectionTimeout, requestTimeout }: Waits,
  signal: AbortSignal | undefined,
): Error {
  switch (failure.kind) {
    case 'aborted':
      return Object.assign(new Error('the request was given up', { cause: signal?.reason }), {
        name: 'AbortError',
      });
    case 'late':
      return toTimeoutError(
        failure.wait === 'connection'
          ? `no connection within ${connectionTimeout} ms`
          : `no answer within ${requestTimeout} ms`,
      );
    case 'closed':
      return toTimeoutError('the connection ended without an answer');
    case 'error':
      return nameTimeout(failure.error);
  }
}

function toTimeoutError(message: string): Error {
  return Object.assign(new Error(message), { name: 'TimeoutError', code: 'ETIMEDOUT' });
}

function nameTimeout(error: Error): Error {
  return 'code' in error && CUT.has(String(error.code))
    ? Object.assign(error, { name: 'TimeoutError' })
    : error;
}
