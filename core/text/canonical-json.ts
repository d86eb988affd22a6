// JSON with one spelling per value, so that two documents can be compared and digested.
import { createHash } from 'node:crypto';
import { isExactNumber } from './exact-json.ts';

/** JSON with the members of every object in order of their names; members that are undefined are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null || isExactNumber(value))
    return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // By code units: the order must not depend on a locale.
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** SHA-256 of the canonical JSON, in hex. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** True when two values are the same document. */
export function sameDocument(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
