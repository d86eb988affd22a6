// The URLs and addresses that the service may connect to: checked when settings are applied, and again at connect.
import { isHost } from './host-name.ts';
import { inRanges, isIpAddress } from './ip-address.ts';
import { parseWebUrl } from './web-url.ts';

/** IPv4 as a whole, and the global unicast addresses of IPv6 (RFC 4291, section 2.4), of which no IPv4 address inside IPv6 is one. */
const isUnicast = inRanges(['0.0.0.0/0', '2000::/3']);

/**
 * Special-purpose blocks, rejected also where parts of them are reachable (iana.org/assignments/iana-ipv4-special-registry). Of IPv6:
 * protocol assignments with Teredo, 6to4, documentation.
 */
const isSpecial = inRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** True for 127.0.0.0/8 and ::1. */
export const isLoopbackAddress = inRanges(['127.0.0.0/8', '::1/128']);

/** Names that resolve within a machine or a private network (RFC 6761, 6762, 8375; ICANN's .internal). */
const REFUSED_NAMES = ['localhost', 'localdomain', 'internal', 'local', 'home.arpa'];

/** Addresses beyond global ones. `allowLoopback` is for the local run alone. */
export interface AddressPolicy {
  readonly allowLoopback: boolean;
}

/** True for a global unicast address; false for every other one and for text that is not an address. */
export function isGlobalAddress(ip: string): boolean {
  return isUnicast(ip) && !isSpecial(ip);
}

/**
 * True when a URL's `hostname` that resolved to `ip` may be connected to. Loopback needs a host that says loopback, so that no public
 * name can be pointed at this machine.
 */
export function mayConnect(hostname: string, ip: string, policy: AddressPolicy): boolean {
  if (isGlobalAddress(ip)) return true;
  return policy.allowLoopback && isLoopbackHost(hostname) && isLoopbackAddress(ip);
}

/** The error of a URL that may not be connected to, as the end of a sentence about it; undefined when it may. */
export function rejectUrl(text: string, policy: AddressPolicy): string | undefined {
  const url = parseWebUrl(text);
  if (url === undefined) return 'must be a URL such as https://api.example.com/v1';
  const { protocol, hostname, username, password } = url;
  if (username !== '' || password !== '') return 'must not hold a user or password; name a secret instead';
  if (isLoopbackHost(hostname)) {
    return policy.allowLoopback
      ? undefined
      : 'must not be on this machine: loopback is for the local run (--local) alone';
  }
  if (protocol !== 'https:') return 'must begin with https://';
  return rejectHost(hostname);
}

function rejectHost(hostname: string): string | undefined {
  const host = unbracket(hostname);
  if (isIpAddress(host)) {
    return isGlobalAddress(host) ? undefined : 'must not be a private, reserved or special address';
  }
  const name = host.replace(/\.$/, '');
  if (!isHost(name) || !name.includes('.')) return 'must name a host with a domain, such as api.example.com';
  const isPrivate = REFUSED_NAMES.some((rejected) => name === rejected || name.endsWith(`.${rejected}`));
  return isPrivate ? 'must not be a name of a private network' : undefined;
}

/** `localhost` and loopback literals as a URL's `hostname` has them; `::1` is in brackets there. */
export function isLoopbackHost(hostname: string): boolean {
  const host = unbracket(hostname);
  return host === 'localhost' || isLoopbackAddress(host);
}

function unbracket(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}
