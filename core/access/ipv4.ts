// IPv4 addresses and blocks in one spelling each, and whether a caller's address is listed.
import type { Verdict } from './decision.ts';

/** Addresses of a block as 32-bit numbers, both inclusive. */
export interface Ipv4Block {
  readonly first: number;
  readonly last: number;
}

// 0 to 255 without a leading zero: readers disagree whether 010 is eight or ten (CVE-2021-29921, CVE-2021-28918).
const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const ADDRESS = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}$`);
// Neither /0, which lists everyone, nor /32, a second spelling of an address.
const BLOCK = /^([0-9.]+)\/([1-9]|[12][0-9]|3[01])$/;

/** The 32-bit number of four decimal octets; undefined for every other text (octal, hex, short, mapped, padded). */
export function parseIpv4(text: string): number | undefined {
  const match = ADDRESS.exec(text);
  if (match === null) return undefined;
  return ((Number(match[1]) * 256 + Number(match[2])) * 256 + Number(match[3])) * 256 + Number(match[4]);
}

/** How many addresses a prefix length leaves. */
export function blockSize(prefixLength: number): number {
  return 2 ** (32 - prefixLength);
}

/** An entry of `ips`: an address, or a block `ADDRESS/1` to `/31` (RFC 4632, section 3.1) whose host bits are zero. */
export function parseIpv4Block(entry: string): Ipv4Block | undefined {
  const block = BLOCK.exec(entry);
  const size = block === null ? 1 : blockSize(Number(block[2]));
  const first = parseIpv4(block?.[1] ?? entry);
  if (first === undefined || first % size !== 0) return undefined;
  return { first, last: first + size - 1 };
}

/** Passes where the caller's address is in an entry. An entry that is neither address nor block lists nobody. */
export function checkAddress(entries: readonly string[], sourceIp: string | undefined): Verdict {
  if (sourceIp === undefined) return { passes: false, reason: "the caller's address is unknown" };
  const address = parseIpv4(sourceIp);
  if (address === undefined) return { passes: false, reason: "the caller's address is not an IPv4 address" };
  const listed = entries.find((entry) => isInBlock(entry, address));
  return listed === undefined
    ? { passes: false, reason: `${sourceIp} is not listed` }
    : { passes: true, reason: `${sourceIp} is listed as ${listed}` };
}

function isInBlock(entry: string, address: number): boolean {
  const block = parseIpv4Block(entry);
  return block !== undefined && block.first <= address && address <= block.last;
}
