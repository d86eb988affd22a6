// Decides who may call a stand-in for an AWS service: programs that know its path, and no web page.

import { randomBytes, timingSafeEqual } from 'node:crypto';

/** What the check reads of a request. */
interface RequestFacts {
  readonly method?: string | undefined;
  /** Path and query, as in the request line. */
  readonly url?: string | undefined;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The check of one stand-in. */
export interface LoopbackAccess {
  /** Secret path of the endpoint: `/` and 32 hexadecimal digits. A new one with every start. */
  readonly path: string;
  /** Why the request is refused, or undefined. */
  forbiddenReason(request: RequestFacts): string | undefined;
}

const LOOPBACK_HOST = /^127(?:\.\d{1,3}){3}(?::\d+)?$|^localhost(?::\d+)?$/;

/**
 * Why a request may be a web page's, or undefined. A browser sends `Origin` with every POST (Fetch Standard, "Origin header") and
 * `Sec-Fetch-Site` with everything (Fetch Metadata); a name that its owner points at 127.0.0.1 shows in `Host` (DNS rebinding).
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

/** Makes a check with a secret path of its own, so that a page which gets past the other checks still calls nothing. */
export function createLoopbackAccess(): LoopbackAccess {
  const path = `/${randomBytes(16).toString('hex')}`;
  const expected = Buffer.from(path);
  const matches = (url: string) => {
    // The AWS SDKs append the slash that is the protocol's own path.
    const given = Buffer.from(url.endsWith('/') ? url.slice(0, -1) : url);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return {
    path,
    forbiddenReason: (request) =>
      webPageReason(request) ??
      (matches(request.url ?? '') ? undefined : 'The path is not the one of the endpoint in outputs.json.'),
  };
}
