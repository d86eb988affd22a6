// Which requests the console answers at all: its own page's, on this machine, in a session. Pure, so that each attack is one test.
import type { IncomingHttpHeaders } from 'node:http';
import { isSameText, type SignIn } from './sign-in.ts';

/** Why a request is refused, and the status of the answer. */
export interface Rejected {
  readonly status: 400 | 401 | 403 | 421;
  readonly what: string;
  readonly remedy?: string;
}

/** The parts of a request that decide. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Cookies know no port, so that consoles on two ports need two names. */
export function cookieName(port: number): string {
  return `neuron-console-${port}`;
}

/** `HttpOnly` keeps it from scripts, `SameSite=Strict` from requests of other sites. */
export function renderCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; HttpOnly; SameSite=Strict; Path=/`;
}

/**
 * A name of somebody else that leads to this machine (DNS rebinding) arrives with that name in Host. Any Origin must be the page's own;
 * browsers add it to every request that could change something.
 */
export function checkSource({ headers }: GuardedRequest, port: number): Rejected | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const host = headers.host?.toLowerCase();
  if (host === undefined || !hosts.includes(host))
    return { status: 421, what: 'This is not the address of the console.' };
  if (headers.origin !== undefined && headers.origin !== `http://${host}`)
    return { status: 403, what: 'Requests of other origins are refused.' };
  return undefined;
}

/** Requests for data and changes: of the page itself, within a session, and changes with its CSRF token. */
export function checkCall(
  request: GuardedRequest,
  port: number,
  signIn: SignIn,
): Rejected | { readonly csrfToken: string } {
  const { method, headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    return { status: 403, what: 'Requests of other sites are refused.' };
  const csrfToken = signIn.findCsrfToken(readCookie(headers.cookie, cookieName(port)));
  if (csrfToken === undefined)
    return {
      status: 401,
      what: 'You are not signed in.',
      remedy:
        'Open the address that `neuron console` printed. Each address works once; press Enter there for a new one.',
    };
  if (method === 'GET') return { csrfToken };
  if (headers.origin === undefined) return { status: 403, what: 'A change needs an Origin.' };
  if (headers['content-type'] !== 'application/json')
    return { status: 400, what: 'The body of a change must be application/json.' };
  const input = headers['x-csrf-token'];
  if (typeof input !== 'string' || !isSameText(input, csrfToken))
    return {
      status: 403,
      what: 'The CSRF token is missing or wrong.',
      remedy: 'Reload the page.',
    };
  return { csrfToken };
}

/** The value of a cookie; undefined also where it is there twice, which no browser sends for one path. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}
