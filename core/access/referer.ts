// Checks whether the page that a request names by its Referer or its Origin is on a listed host.
import { isHost } from '../settings/host-name.ts';
import type { CheckResult } from './decision.ts';
import type { AccessRequest } from './request.ts';

// Labels of lower-case ASCII with one dot between them: no empty label, no dot at the end. 253 characters are the longest name
// (RFC 1035, section 2.3.4, without the root's dot); callers cannot make log entries longer.
const HOST = /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
// A Referer is a URI (RFC 9110, section 10.1.3), so visible ASCII. WHATWG parsing would repair spaces, tabs and backslashes.
const REFERER = /^https?:\/\/[!-[\]-~]+$/i;
// An Origin is scheme, host and port alone (RFC 6454, section 7.1): no slash, question mark or hash after the host.
const ORIGIN = /^https?:\/\/[^/?#]+$/i;

/**
 * The host of a Referer; undefined for another scheme, for no URL, for a host that is no host name, and for userinfo or a fragment,
 * which no user agent may send (RFC 9110, section 10.1.3).
 */
export function refererHost(referer: string): string | undefined {
  if (!REFERER.test(referer) || !URL.canParse(referer)) return undefined;
  const { hostname, username, password, hash } = new URL(referer);
  if (username !== '' || password !== '' || hash !== '') return undefined;
  return HOST.test(hostname) ? hostname : undefined;
}

/** True when an entry of `referers` covers a host: `app.example.com` covers itself alone, `*.example.com` its subdomains alone. */
export function coversHost(entry: string, host: string): boolean {
  if (!entry.startsWith('*.')) return host === entry;
  return host.endsWith(entry.slice(1)) && isHost(entry.slice(2));
}

/**
 * The host of an Origin; undefined for everything but the origin of a web page, such as `null`, which sandboxed frames, `data:` pages
 * and redirects across origins send.
 */
export function originHost(origin: string): string | undefined {
  return ORIGIN.test(origin) ? refererHost(origin) : undefined;
}

/**
 * Passes when every page that the request names is listed: by its Referer, which a page may suppress, and by its Origin, which a page
 * cannot leave out of a call across origins. Passes without either, as specified for the Referer, but not when the headers of the
 * request are unknown.
 */
export function checkReferer(
  entries: readonly string[],
  { referers, origins }: Pick<AccessRequest, 'referers' | 'origins'>,
): CheckResult {
  const checks = [
    ...checkHeader(entries, { name: 'Referer', values: referers, toHost: refererHost, is: 'the URL' }),
    ...checkHeader(entries, { name: 'Origin', values: origins, toHost: originHost, is: 'the origin' }),
  ];
  const rejected = checks.find(({ passes }) => !passes);
  if (rejected !== undefined) return rejected;
  if (checks.length === 0) return { passes: true, reason: 'the request carries neither Referer nor Origin' };
  return { passes: true, reason: checks.map(({ reason }) => reason).join(', and ') };
}

/** An empty list for an absent header. */
function checkHeader(
  entries: readonly string[],
  header: {
    readonly name: 'Referer' | 'Origin';
    readonly values: readonly string[] | undefined;
    readonly toHost: (value: string) => string | undefined;
    readonly is: string;
  },
): readonly CheckResult[] {
  const { name, values, toHost, is } = header;
  if (values === undefined) return [{ passes: false, reason: "the request's headers are unknown" }];
  const [value, ...more] = values;
  if (value === undefined) return [];
  if (more.length > 0) return [{ passes: false, reason: `the request carries more than one ${name}` }];
  const host = toHost(value);
  if (host === undefined) return [{ passes: false, reason: `the ${name} is not ${is} of a web page` }];
  const listed = entries.find((entry) => coversHost(entry, host));
  return listed === undefined
    ? [{ passes: false, reason: `the ${name}'s host ${host} is not listed` }]
    : [{ passes: true, reason: `the ${name}'s host ${host} is listed as ${listed}` }];
}
