// Decides which requests the console answers: those of its own page, on this machine, in a session. Pure, so that each attack is one test.
import type { IncomingHttpHeaders } from 'node:http';
import { isSameText, type SignIn } from './sign-in.ts';

export interface Rejection {
  readonly status: 400 | 401 | 403 | 421;
  readonly what: string;
  readonly remedy?: string;
}

export interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Cookies are shared between ports, so consoles on two ports need two names. */
export function cookieName(port: number): string {
  return `neuron-console-${port}`;
}

/** `HttpOnly` keeps it from scripts, `SameSite=Strict` from requests of other sites. */
export function renderCookie(port: number, value: string): string {
  return `${cookieName(port)}=${value}; HttpOnly; SameSite=Strict; Path=/`;
}

/**
 * A foreign name that resolves to this machine (DNS rebinding) arrives in Host. An Origin must be that of the page; browsers add it to
 * every request that could change something.
 */
export function checkSource({ headers }: GuardedRequest, port: number): Rejection | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const host = headers.host?.toLowerCase();
  if (host === undefined || !hosts.includes(host))
    return { status: 421, what: 'This is not the address of the console.' };
  if (headers.origin !== undefined && headers.origin !== `http://${host}`)
    return { status: 403, what: 'Requests of other origins are refused.' };
  return undefined;
}

/** Requests for data and changes must come from the page, in a session; changes also need its CSRF token. */
export function checkCall(
  request: GuardedRequest,
  port: number,
  signIn: SignIn,
): Rejection | { readonly csrfToken: string } {
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
  const sent = headers['x-csrf-token'];
  if (typeof sent !== 'string' || !isSameText(sent, csrfToken))
    return {
      status: 403,
      what: 'The CSRF token is missing or wrong.',
      remedy: 'Reload the page.',
    };
  return { csrfToken };
}

/** Undefined also where the cookie is sent twice, which no browser does for one path. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}
