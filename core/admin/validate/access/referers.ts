// Validates the entries of `referers`: names of hosts, none of them covered by another, none that means nobody or everybody.
import { parse } from 'tldts';
import { coversHost } from '../../../access/referer.ts';
import { isHost } from '../../../settings/host-name.ts';
import { parseIpv4 } from '../../../settings/ip-address.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { emptyList, redundantEntry } from './list-errors.ts';

/** An entry in its two parts. */
interface Entry {
  readonly text: string;
  readonly isWildcard: boolean;
  readonly host: string;
}

/** Validates `referers`; an absent list is valid. */
export function validateReferers(entries: readonly string[] | undefined): PartDiagnostic[] {
  if (entries === undefined) return [];
  if (entries.length === 0) return [emptyList('referers')];
  return entries.flatMap((text, index) => {
    const entry = splitEntry(text);
    const message = isHost(entry.host) ? describeReach(entry) : describeMalformed(entry);
    if (message !== undefined) return [errorAt(['referers', index], message)];
    return [...findCover(entries, text, index), ...warnAboutBreadth(entry, index)];
  });
}

function splitEntry(text: string): Entry {
  const isWildcard = text.startsWith('*.');
  return { text, isWildcard, host: isWildcard ? text.slice(2) : text };
}

function describeMalformed({ text, isWildcard, host }: Entry): string {
  const meant = spellingOf(host);
  const remedy =
    meant === undefined
      ? 'Write a host such as app.example.com, or *.example.com for its subdomains.'
      : `Write ${isWildcard ? '*.' : ''}${meant}.`;
  return `is ${JSON.stringify(text)}, which is not the name of a host (labels of 1 to 63 letters, digits and inner hyphens; no scheme, port, path or trailing dot), so no page could match it. ${remedy}`;
}

/** Why a well-formed entry matches nobody, or everybody; undefined for every other one. */
function describeReach({ text, isWildcard, host }: Entry): string | undefined {
  if (isWildcard && parseIpv4(host) !== undefined)
    return `is ${text}, which can match nothing, because an IP address has no subdomains. Write ${host}.`;
  if (host === 'null')
    return `is ${text}, which is what browsers send as the Origin of sandboxed frames and files, of whoever they are: it is never let in. Remove it, and serve the page from a host.`;
  if (!isPublicSuffix(host)) return undefined;
  const reach = isWildcard ? 'allows the pages of everybody who has a name there' : "is nobody's own host";
  return `is ${text}, but ${host} is a public suffix, under which anybody may register names, so it ${reach}. Name the domain that is yours, such as ${isWildcard ? '*.' : ''}example.${host}.`;
}

/** As the Public Suffix List has it (publicsuffix.org); a name that it does not list, such as `localhost`, is none. */
function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return publicSuffix === host && (isIcann === true || isPrivate === true);
}

/** The host that was probably meant: out of a URL, or in its ASCII spelling. */
function spellingOf(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/\.$/, '');
  return isHost(host) ? host : undefined;
}

function findCover(entries: readonly string[], entry: string, index: number): PartDiagnostic[] {
  // The first of equal entries covers the later ones. A wildcard ends like the hosts it covers, so it counts as one of them.
  const other = entries.find((one, place) => (one === entry ? place < index : coversHost(one, entry)));
  return other === undefined ? [] : [redundantEntry(['referers', index], entry, other)];
}

function warnAboutBreadth({ text, isWildcard, host }: Entry, index: number): PartDiagnostic[] {
  if (!isWildcard || host.includes('.')) return [];
  const message = `is ${text}, which allows pages on every host of a top-level domain. Name the domain that is yours, such as *.example.${host}.`;
  return [warningAt(['referers', index], message)];
}
