// The headers of an integration's answer, as the caller gets them.

import type { HeaderList } from '../gateway-responses/templates.ts';

// API Gateway Developer Guide, "Important notes", table of headers.
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

/** The name that the caller gets, for example `x-amzn-Remapped-WWW-Authenticate`; undefined for a dropped header. */
export function remapHeader(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === 'transfer-encoding') return undefined;
  return REMAPPED.has(lower) ? `x-amzn-Remapped-${name}` : name;
}

/**
 * Merges `headers` and `multiValueHeaders`: values of both are sent, equal ones once, with the name as in `multiValueHeaders` (API
 * Gateway Developer Guide, "Output format of a Lambda function for proxy integration"; order as recorded).
 */
export function mergeHeaders(
  headers: Readonly<Record<string, string>>,
  multiValueHeaders: Readonly<Record<string, readonly string[]>>,
): HeaderList {
  const merged: HeaderList = [];
  const taken = new Map<string, readonly string[]>();
  for (const [name, values] of Object.entries(multiValueHeaders)) {
    taken.set(name.toLowerCase(), values);
    const single = singleValue(headers, name);
    const all = single === undefined || values.includes(single) ? values : [...values, single];
    for (const value of all) add(merged, name, value);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!taken.has(name.toLowerCase())) add(merged, name, value);
  }
  return merged;
}

function singleValue(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  const lower = name.toLowerCase();
  for (const [other, value] of Object.entries(headers)) if (other.toLowerCase() === lower) return value;
  return undefined;
}

function add(merged: HeaderList, name: string, value: string): void {
  const sent = remapHeader(name);
  if (sent !== undefined) merged.push([sent, value]);
}
