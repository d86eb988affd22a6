// Ranges of addresses in CIDR form, IPv4 and IPv6, in one spelling.
import { isIP } from 'node:net';

/** Addresses as numbers, both inclusive. An IPv4 address inside IPv6 (`::ffff:203.0.113.7`) is that IPv4 address. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
  /** In the one spelling that is stored: `203.0.113.7`, `203.0.113.0/24`, `2001:db8::/32`. */
  readonly text: string;
}

interface Address {
  readonly family: 4 | 6;
  readonly number: bigint;
}

const BITS = { 4: 32, 6: 128 } as const;
const MAPPED_BITS = 96;
/** `::ffff:0:0/96` (RFC 4291, section 2.5.5.2). */
const MAPPED_PREFIX = 0xffffn;

/** Undefined for what is no address or range, one with a zone, and one whose host bits are set. */
export function parseRange(text: string): AddressRange | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed === undefined || rest.length > 0) return undefined;
  const isMapped = parsed.family === 4 && isIP(address) === 6;
  const bits = BITS[parsed.family];
  if (length !== undefined && !/^(?:0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  const prefix = length === undefined ? bits : Number(length) - (isMapped ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > bits) return undefined;
  const size = 1n << BigInt(bits - prefix);
  if (parsed.number % size !== 0n) return undefined;
  const shown = renderAddress(parsed);
  return {
    family: parsed.family,
    first: parsed.number,
    last: parsed.number + size - 1n,
    text: prefix === bits ? shown : `${shown}/${prefix}`,
  };
}

/** False for what is no address. */
export function includesAddress({ family, first, last }: AddressRange, address: string): boolean {
  const parsed = parseAddress(address);
  return parsed?.family === family && first <= parsed.number && parsed.number <= last;
}

/** The number of its addresses. */
export function sizeOfRange({ first, last }: AddressRange): bigint {
  return last - first + 1n;
}

function parseAddress(text: string): Address | undefined {
  if (text.includes('%')) return undefined;
  const family = isIP(text);
  if (family === 4) return { family, number: parseIpv4(text) };
  if (family !== 6) return undefined;
  const number = parseIpv6(text);
  return number >> 32n === MAPPED_PREFIX ? { family: 4, number: number & 0xffffffffn } : { family, number };
}

/** Text that is an IPv4 address. */
function parseIpv4(text: string): bigint {
  return text.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n);
}

/** Text that is an IPv6 address, such as `2001:db8::203.0.113.7`. */
function parseIpv6(text: string): bigint {
  const at = text.lastIndexOf(':') + 1;
  const tail = text.slice(at);
  const number = tail.includes('.') ? parseIpv4(tail) : undefined;
  const whole =
    number === undefined
      ? text
      : `${text.slice(0, at)}${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
  const [head = '', end] = whole.split('::');
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(end ?? '')];
  const zeros = Array<string>(end === undefined ? 0 : 8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

/** RFC 5952 for IPv6, as API Gateway writes it. */
function renderAddress({ family, number }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((number >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
