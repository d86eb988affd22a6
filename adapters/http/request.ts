// The only place that connects, beside the AWS clients: one request, one answer, everything bounded.
import type { ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { rejectUrl } from '../../core/settings/address-policy.ts';
import { aborted, exchange } from './exchange.ts';
import { HttpFailure } from './failure.ts';
import { createCheckedLookup } from './lookup.ts';
import type { Http, HttpRequest, OpenHttp } from './message.ts';
import { http } from './node-http.ts';
import { PROCESS_POLICY } from './policy.ts';
import { readingWhole } from './read-whole.ts';
import { createResolve, type ResolveHost } from './resolve.ts';

/** Shorter than what servers usually keep, so that it is seldom the server that ends a kept connection. */
const IDLE_MS = 20_000;
const MAX_SOCKETS = 64;

const FIXED_HEADERS = {
  // A compressed body can grow beyond every bound while it is unpacked.
  'accept-encoding': 'identity',
  'user-agent': 'neuron-execution-service',
};

/** The sender of requests whose answers are read whole; `resolve` is replaced in tests alone. */
export function createHttp(resolve?: ResolveHost): Http {
  return readingWhole(createOpenHttp(resolve));
}

/** The sender; `resolve` is replaced in tests alone. */
export function createOpenHttp(resolve: ResolveHost = createResolve()): OpenHttp {
  const kept = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_MS };
  const agents = { 'http:': new http.Agent(kept), 'https:': new HttpsAgent(kept) };
  const lookup = createCheckedLookup(resolve, PROCESS_POLICY);

  function open(request: Omit<HttpRequest, 'maxBytes'>, url: URL): ClientRequest {
    const headers = { ...request.headers, ...FIXED_HEADERS, ...lengthOf(request.body) };
    // A GET is for a document read every few minutes: a connection kept that long is dead more often than not.
    const keep = request.method === 'POST';
    const options = { method: request.method, headers, lookup };
    if (url.protocol === 'http:') {
      return http.request(url, { ...options, agent: keep ? agents['http:'] : false });
    }
    // Said here so that no environment variable turns it off.
    const tls = { minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;
    return httpsRequest(url, { ...options, ...tls, agent: keep ? agents['https:'] : false });
  }

  return async (request) => {
    const rejection = rejectUrl(request.url, PROCESS_POLICY);
    if (rejection !== undefined) throw new HttpFailure('refused', `the URL ${rejection}`);
    const url = new URL(request.url);
    if (request.signal.aborted) throw aborted(url, request.signal);
    return exchange(open(request, url), url, request);
  };
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}
