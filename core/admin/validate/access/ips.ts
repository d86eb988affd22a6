// Validates the entries of `ips`: IPv4 addresses and blocks in their one spelling, none of them inside another.

import { blockSize, type Ipv4Block, parseIpv4Block } from '../../../access/ipv4.ts';
import { parseIpv4 } from '../../../settings/ip-address.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { emptyList, redundantEntry } from './list-errors.ts';

/** Ranges from which no call over the internet can come (IANA IPv4 special-purpose address registry, RFC 6890). */
const UNREACHABLE = {
  '0.0.0.0/8': 'is not an address of a host',
  '10.0.0.0/8': 'is private',
  '100.64.0.0/10': 'is shared address space of carriers',
  '127.0.0.0/8': 'is the machine itself',
  '169.254.0.0/16': 'is link-local',
  '172.16.0.0/12': 'is private',
  '192.168.0.0/16': 'is private',
  '224.0.0.0/3': 'is multicast or reserved',
} as const;

interface Entry {
  readonly text: string;
  readonly index: number;
  readonly block: Ipv4Block;
}

/** Validates `ips`; an absent list is valid. */
export function validateIps(entries: readonly string[] | undefined): PartDiagnostic[] {
  if (entries === undefined) return [];
  if (entries.length === 0) return [emptyList('ips')];
  const malformed: PartDiagnostic[] = [];
  const valid: Entry[] = [];
  entries.forEach((text, index) => {
    const block = parseIpv4Block(text);
    if (block === undefined) malformed.push(errorAt(['ips', index], describeMalformed(text)));
    else valid.push({ text, index, block });
  });
  return [...malformed, ...findCovered(valid), ...valid.flatMap(warnIfUnreachable)];
}

function describeMalformed(entry: string): string {
  const shown = JSON.stringify(entry);
  if (entry.includes(':')) {
    return `is ${shown}, which is IPv6, and only IPv4 callers can be listed. List the caller's IPv4 address.`;
  }
  // Without a slash the second part is the entry itself, which is no prefix length.
  const slash = entry.indexOf('/');
  const address = entry.slice(0, slash);
  const prefixLength = entry.slice(slash + 1);
  const number = parseIpv4(address);
  if (number === undefined || !/^(?:[0-9]|[12][0-9]|3[0-2])$/.test(prefixLength)) {
    return `is ${shown}, which is not an IPv4 address or block in the one spelling that is taken: four decimal numbers without leading zeros. Write it as 203.0.113.7 or 203.0.113.0/24.`;
  }
  if (prefixLength === '0')
    return `is ${shown}, which lists every address, so it refuses nobody. Remove it; public: true is what opens a neuron to everyone.`;
  if (prefixLength === '32')
    return `is ${shown}, which is a second spelling of one address. Write ${address}.`;
  const network = number - (number % blockSize(Number(prefixLength)));
  return `is ${shown}, which sets bits beyond its prefix length, so what it is meant to list is unclear. Write ${renderIpv4(network)}/${prefixLength} for the block or ${address} for the address.`;
}

function renderIpv4(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

/** Blocks lie inside each other or apart, so in order of their first address, widest first, one look back finds every cover. */
function findCovered(entries: readonly Entry[]): PartDiagnostic[] {
  const ordered = entries.toSorted((a, b) => a.block.first - b.block.first || b.block.last - a.block.last);
  const redundant: PartDiagnostic[] = [];
  let cover: Entry | undefined;
  for (const entry of ordered) {
    if (cover !== undefined && entry.block.last <= cover.block.last) {
      redundant.push(redundantEntry(['ips', entry.index], entry.text, cover.text));
    } else {
      cover = entry;
    }
  }
  return redundant;
}

function warnIfUnreachable({ text, index, block }: Entry): PartDiagnostic[] {
  for (const [range, why] of Object.entries(UNREACHABLE)) {
    if (!isWithin(block, parseIpv4Block(range))) continue;
    const message = `is ${text}, which ${why}, so no call over the internet comes from it. List the public address that your callers leave through, such as that of their NAT gateway.`;
    return [warningAt(['ips', index], message)];
  }
  return [];
}

function isWithin(block: Ipv4Block, range: Ipv4Block | undefined): boolean {
  return range !== undefined && range.first <= block.first && block.last <= range.last;
}
