// Hosts that pages may call from, and whether the page that a request names is one of them.
import type { CheckResult } from './decision.ts';

// Labels of lower-case ASCII, one dot between them: no empty label and no dot at the end. 253 characters are the longest
// name (RFC 1035, section 2.3.4, without the root's dot), so that no log entry grows by what a caller sends.
const HOST = /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
// A Referer is a URI (RFC 9110, section 10.1.3), so visible ASCII. WHATWG parsing would mend spaces, tabs and backslashes.
const REFERER = /^https?:\/\/[!-[\]-~]+$/i;

/** True for a host exactly as WHATWG parsing spells it: lower case, ASCII, no trailing dot, IPv4 as four decimal octets. */
export function isHost(text: string): boolean {
  const url = `http://${text}`;
  return HOST.test(text) && URL.canParse(url) && new URL(url).hostname === text;
}

/**
 * The host of a Referer; undefined where there is none: another scheme, not a URL, a host that is no host name, or
 * userinfo or a fragment, which no user agent may send (RFC 9110, section 10.1.3).
 */
export function refererHost(referer: string): string | undefined {
  if (!REFERER.test(referer) || !URL.canParse(referer)) return undefined;
  const { hostname, username, password, hash } = new URL(referer);
  if (username !== '' || password !== '' || hash !== '') return undefined;
  return HOST.test(hostname) ? hostname : undefined;
}

/** Whether an entry of `referers` covers a host: `app.example.com` itself alone, `*.example.com` its subdomains alone. */
export function coversHost(entry: string, host: string): boolean {
  if (!entry.startsWith('*.')) return host === entry;
  return host.endsWith(entry.slice(1)) && isHost(entry.slice(2));
}

/** Passes without a Referer, as the specification says, and with exactly one whose host is listed. */
export function checkReferer(entries: readonly string[], referers: readonly string[]): CheckResult {
  const [referer, ...more] = referers;
  if (referer === undefined) return { passes: true, reason: 'the request carries no Referer' };
  if (more.length > 0) return { passes: false, reason: 'the request carries more than one Referer' };
  const host = refererHost(referer);
  if (host === undefined) return { passes: false, reason: 'the Referer is not the URL of a web page' };
  const listed = entries.find((entry) => coversHost(entry, host));
  return listed === undefined
    ? { passes: false, reason: `the Referer's host ${host} is not listed` }
    : { passes: true, reason: `the Referer's host ${host} is listed as ${listed}` };
}
