// Parses entries of `ips`, which have one spelling each, and checks whether a caller's address is listed.
import { parseIpv4 } from '../settings/ip-address.ts';
import type { CheckResult } from './decision.ts';

/** Addresses of a block as 32-bit numbers, both inclusive. */
export interface Ipv4Block {
  readonly first: number;
  readonly last: number;
}

// Without /0, which lists everyone, and /32, a second spelling of an address.
const BLOCK = /^([0-9.]+)\/([1-9]|[12][0-9]|3[01])$/;

/** The number of addresses of a prefix length. */
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

/** Passes when the caller's address is in an entry. A malformed entry lists nobody. */
export function checkAddress(entries: readonly string[], sourceIp: string | undefined): CheckResult {
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
