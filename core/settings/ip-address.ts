// Reads IP addresses in the text that `new URL` and DNS give, and ranges in CIDR form.

// 0 to 255 without a leading zero: readers disagree whether 010 is eight or ten (CVE-2021-29921, CVE-2021-28918).
const IPV4_PART = /^(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$/;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;

/** The bytes of an address: 4 for IPv4 in dotted decimal, 16 for IPv6 (RFC 4291, section 2.2; no zone), or undefined. */
export function parseIpAddress(text: string): Uint8Array | undefined {
  if (text.includes(':')) return parseIpv6(text);
  const number = parseIpv4(text);
  return number === undefined ? undefined : Uint8Array.from(ipv4Bytes(number));
}

/** The 32-bit number of four decimal octets; undefined for every other text (octal, hex, short, mapped, padded). */
export function parseIpv4(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => IPV4_PART.test(part))) return undefined;
  return parts.reduce((number, part) => number * 256 + Number(part), 0);
}

/** The four octets of a 32-bit number. */
export function ipv4Bytes(number: number): readonly number[] {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
}

/** A range of addresses: the first `length` bits of `base`. */
interface IpRange {
  readonly base: Uint8Array;
  readonly length: number;
}

/** A range from its CIDR text. Throws a TypeError when it is none: ranges are constants of this product. */
export function ipRange(text: string): IpRange {
  const [address = '', length = ''] = text.split('/');
  const base = parseIpAddress(address);
  if (base === undefined || !/^[0-9]{1,3}$/.test(length)) throw new TypeError(`not a range: ${text}`);
  return { base, length: Number(length) };
}

/** True when the address is of the range's family and within it. */
export function isInRange(address: Uint8Array, range: IpRange): boolean {
  if (address.length !== range.base.length) return false;
  for (let bit = 0; bit < range.length; bit += 8) {
    const mask = 0xff & (0xff00 >> Math.min(8, range.length - bit));
    const index = bit / 8;
    if (((address[index] ?? 0) & mask) !== ((range.base[index] ?? 0) & mask)) return false;
  }
  return true;
}

function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? Uint8Array.from(head) : undefined;
  // `::` stands for at least one group.
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  const zeros = new Array<number>(16 - head.length - tail.length).fill(0);
  return Uint8Array.from([...head, ...zeros, ...tail]);
}

/** The bytes of groups between colons; only the last one may be an IPv4 address. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    const isEnd = isLast && index === groups.length - 1;
    const ipv4 = isEnd && group.includes('.') ? parseIpv4(group) : undefined;
    if (ipv4 !== undefined) bytes.push(...ipv4Bytes(ipv4));
    else if (IPV6_GROUP.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}
