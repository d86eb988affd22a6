// Decides who may call what stands in for an AWS service: programs that know its path, and no web page.

import { randomBytes, timingSafeEqual } from 'node:crypto';

interface RequestFacts {
  readonly method?: string | undefined;
  /** Path and query, as in the request line. */
  readonly url?: string | undefined;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface LoopbackAccess {
  /** Secret path of the endpoint: `/` and 32 hexadecimal digits, new with every start. */
  readonly path: string;
  /** Why the request is rejected, or undefined. */
  forbiddenReason(request: RequestFacts): string | undefined;
}

const LOOPBACK_HOST = /^127(?:\.\d{1,3}){3}(?::\d+)?$|^localhost(?::\d+)?$/;

/**
 * Why a request may come from a web page, or undefined. A browser sends `Origin` with every POST (Fetch Standard, "Origin header")
 * and `Sec-Fetch-Site` with everything (Fetch Metadata); a domain that points at 127.0.0.1 shows in `Host` (DNS rebinding).
 */
export function webPageReason({ method, headers }: Omit<RequestFacts, 'url'>): string | undefined {
  const isBrowser = headers['origin'] !== undefined || headers['sec-fetch-site'] !== undefined;
  if (method !== 'POST' || isBrowser) return 'Only programs of this machine may call.';
  return LOOPBACK_HOST.test(String(headers['host'])) ? undefined : 'The host is not this machine.';
}

/** Whether the URL is one of this machine. A name other than `localhost` could resolve to any address. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol } = new URL(url);
  const isLoopback = /^127(?:\.\d{1,3}){3}$|^localhost$|^\[::1\]$/.test(hostname);
  return isLoopback && (protocol === 'http:' || protocol === 'https:');
}

/** Makes a check with a secret path, so that a page which passes the other checks still cannot call. */
export function createLoopbackAccess(): LoopbackAccess {
  const path = `/${randomBytes(16).toString('hex')}`;
  const expected = Buffer.from(path);
  const matches = (url: string) => {
    // The AWS SDKs append the slash that is the protocol's own path.
    const actual = Buffer.from(url.endsWith('/') ? url.slice(0, -1) : url);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  return {
    path,
    forbiddenReason: (request) =>
      webPageReason(request) ??
      (matches(request.url ?? '') ? undefined : 'The path is not the one of the endpoint in outputs.json.'),
  };
}
