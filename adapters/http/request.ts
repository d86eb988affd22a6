// The only place that connects, beside the AWS clients: one request, one answer, everything bounded.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type AddressPolicy, rejectUrl } from '../../core/settings/address-policy.ts';
import { MAX_SOCKETS } from './connections.ts';
import { type ExchangeFailure, exchange, toHeaders } from './exchange.ts';
import { HttpFailure, toHttpFailure } from './failure.ts';
import type { Http, HttpRequest, OpenAnswer, OpenHttp } from './message.ts';
import { http } from './node-http.ts';
import { readingWhole } from './read-whole.ts';
import { createCheckedLookup, createResolve, type ResolveHost } from './resolve.ts';

/** How long a name, a connection and its TLS handshake may take together. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than what servers usually keep, so that it is seldom the server that ends a kept connection. */
const IDLE_MS = 20_000;

const FIXED_HEADERS = {
  // A compressed body can grow beyond every bound while it is unpacked.
  'accept-encoding': 'identity',
  'user-agent': 'neuron-execution-service',
};

/** The local run sets this before it loads a bundle; no variable, setting or header can, and nothing in a bundle does. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** Global addresses; loopback besides in the local run. Read at load, so that nothing that runs later changes it. */
const PROCESS_POLICY: AddressPolicy = Object.freeze({
  allowLoopback: (globalThis as Readonly<Record<symbol, unknown>>)[LOOPBACK_HOOK] === true,
});

/** The sender of requests whose answers are read whole; `resolve` is replaced in tests alone. */
export function createHttp(resolve?: ResolveHost): Http {
  return readingWhole(createOpenHttp(resolve));
}

/** The sender; `resolve` is replaced in tests alone. */
export function createOpenHttp(resolve: ResolveHost = createResolve()): OpenHttp {
  const kept = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS };
  const agents = { 'http:': new http.Agent(kept), 'https:': new HttpsAgent(kept) };
  const lookup = createCheckedLookup(resolve, PROCESS_POLICY);

  function open(request: Omit<HttpRequest, 'maxBytes' | 'reads'>, url: URL): ClientRequest {
    const headers = { ...request.headers, ...FIXED_HEADERS, ...lengthOf(request.body) };
    // A GET is for a document read every few minutes: a connection kept that long is dead more often than not.
    const keep = request.method === 'POST';
    const options = { method: request.method, headers, lookup };
    if (url.protocol === 'http:') {
      return http.request(url, { ...options, agent: keep ? agents['http:'] : false });
    }
    // Explicit, so that no environment variable turns it off.
    const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;
    return httpsRequest(url, { ...options, ...tls, agent: keep ? agents['https:'] : false });
  }

  return async (request) => {
    const rejection = rejectUrl(request.url, PROCESS_POLICY);
    if (rejection !== undefined) throw new HttpFailure('refused', `the URL ${rejection}`);
    const url = new URL(request.url);
    const { body, signal } = request;
    const connectEvent = url.protocol === 'https:' ? 'secureConnect' : 'connect';
    const options = { body, signal, connectMs: CONNECT_TIMEOUT_MS, connectEvent } as const;
    return exchange<OpenAnswer>(() => open(request, url), options, {
      read: (answer, resolve, fail) => {
        if (isEncoded(answer)) fail({ kind: 'error', error: toEncoded(url), isConnected: true });
        else resolve(toOpenAnswer(answer, fail));
      },
      toError: (failure) => toHttpFailure(failure, url.hostname, signal),
    });
  };
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding !== '' && encoding !== 'identity';
}

function toEncoded({ hostname }: URL): HttpFailure {
  return new HttpFailure('malformed', `${hostname} encoded its answer though that was not asked for`);
}

function toOpenAnswer(answer: IncomingMessage, fail: (failure: ExchangeFailure) => Error): OpenAnswer {
  return {
    status: answer.statusCode ?? 0,
    headers: toHeaders(answer),
    body: { [Symbol.asyncIterator]: () => readBody(answer, fail) },
    close() {
      if (!answer.readableEnded) answer.destroy();
    },
  };
}

async function* readBody(
  answer: IncomingMessage,
  fail: (failure: ExchangeFailure) => Error,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of answer) yield chunk as Uint8Array;
  } catch (error) {
    throw fail({ kind: 'error', error: error as Error, isConnected: true });
  }
  if (!answer.complete) throw fail({ kind: 'closed' });
}
