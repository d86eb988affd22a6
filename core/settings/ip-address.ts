// IP addresses in the text that `new URL` and DNS give, read by Node's own parser. Nothing here connects to anything.
import { BlockList, isIP } from 'node:net';

/** Undefined for text that is no address. A zone (`fe80::1%eth0`) names an interface of a machine, which no URL and no caller may. */
function familyOf(text: string): 'ipv4' | 'ipv6' | undefined {
  if (text.includes('%')) return undefined;
  return ({ 4: 'ipv4', 6: 'ipv6' } as const)[isIP(text)];
}

/** True for an IPv4 or IPv6 address (RFC 4291, section 2.2). */
export function isIpAddress(text: string): boolean {
  return familyOf(text) !== undefined;
}

/** The 32-bit number of four decimal octets; undefined for every other text (octal, hex, short, mapped, padded). */
export function parseIpv4(text: string): number | undefined {
  if (familyOf(text) !== 'ipv4') return undefined;
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

/** True for addresses in one of the ranges, each in CIDR form. */
export function inRanges(ranges: readonly string[]): (ip: string) => boolean {
  // Made when the first address is asked about: a cold start need not wait for it.
  let lists: ReturnType<typeof toLists> | undefined;
  return (ip) => {
    const family = familyOf(ip);
    lists ??= toLists(ranges);
    return family !== undefined && lists[family].check(ip, family);
  };
}

/** A list for each family: one for both would take an IPv4 address inside IPv6 for the IPv4 address. */
function toLists(ranges: readonly string[]): Readonly<Record<'ipv4' | 'ipv6', BlockList>> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    lists[family].addSubnet(address, Number(length), family);
  }
  return lists;
}
