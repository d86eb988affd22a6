// Host names in the spelling that browsers send and DNS takes.
import { parseIpv4 } from './ip-address.ts';

// Labels of letters, digits and inner hyphens, at most 63 characters each and 253 in all (RFC 1123, section 2.1; RFC 1035,
// section 2.3.4), with underscores, which names in use have too. No empty label, so no dot at the end.
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

/** True for a host exactly as WHATWG parsing spells it: lower case, ASCII, no trailing dot, IPv4 as four decimal octets. */
export function isHost(text: string): boolean {
  const url = `http://${text}`;
  return HOST.test(text) && URL.canParse(url) && new URL(url).hostname === text;
}

// No character that parsing takes for more than a part of a name: no percent, colon, slash, at sign or blank, nothing invisible.
const NAME = /^[\p{L}\p{M}\p{N}._-]+$/u;

/**
 * A name with capitals or in Unicode in its ASCII form (UTS #46, as browsers apply it); every other text unchanged. No number is
 * turned into an address.
 */
export function toAsciiHost(text: string): string {
  if (isHost(text) || !NAME.test(text) || !URL.canParse(`http://${text}`)) return text;
  const host = new URL(`http://${text}`).hostname;
  return isHost(host) && parseIpv4(host) === undefined ? host : text;
}
