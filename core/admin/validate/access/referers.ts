// Validates the entries of `referers`: hosts in their one spelling, none of them covered by another.

import { coversHost, isHost } from '../../../access/referer.ts';
import { parseIpv4 } from '../../../settings/ip-address.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { emptyList, redundantEntry } from './list-errors.ts';

/** Validates `referers`; an absent list is valid. */
export function validateReferers(entries: readonly string[] | undefined): PartDiagnostic[] {
  if (entries === undefined) return [];
  if (entries.length === 0) return [emptyList('referers')];
  return entries.flatMap((entry, index) => [
    ...validateEntry(entries, entry, index),
    ...(/^\*\.[^.]+$/.test(entry) ? [warningAt(['referers', index], describeBreadth(entry))] : []),
  ]);
}

function validateEntry(entries: readonly string[], entry: string, index: number): PartDiagnostic[] {
  const message = describeMalformed(entry);
  return message === undefined ? findCover(entries, entry, index) : [errorAt(['referers', index], message)];
}

function describeMalformed(entry: string): string | undefined {
  const isWildcard = entry.startsWith('*.');
  const host = isWildcard ? entry.slice(2) : entry;
  if (isHost(host)) {
    return isWildcard && parseIpv4(host) !== undefined
      ? `is ${entry}, which can match nothing, because an IP address has no subdomains. Write ${host}.`
      : undefined;
  }
  const meant = spellingOf(host);
  const remedy =
    meant === undefined
      ? 'Write a host such as app.example.com, or *.example.com for its subdomains.'
      : `Write ${isWildcard ? '*.' : ''}${meant}.`;
  return `is ${JSON.stringify(entry)}, which is not a host as browsers spell it (lower case, ASCII, no scheme, port, path or trailing dot), so no Referer could match it. ${remedy}`;
}

/** The host that was probably meant: out of a URL, or in its ASCII spelling. */
function spellingOf(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/\.$/, '');
  return isHost(host) ? host : undefined;
}

function findCover(entries: readonly string[], entry: string, index: number): PartDiagnostic[] {
  // Of equal entries the first covers the later ones. A wildcard ends like the hosts it covers, so it counts as one of them.
  const other = entries.find((one, place) => (one === entry ? place < index : coversHost(one, entry)));
  return other === undefined ? [] : [redundantEntry(['referers', index], entry, other)];
}

function describeBreadth(entry: string): string {
  return `is ${entry}, which allows pages on every host of a top-level domain. Name the domain that is yours, such as *.example${entry.slice(1)}.`;
}
