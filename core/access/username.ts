// Finds the username of a caller in the claims of a verified token.

import { keyOfEndUsername } from '../contract/end-username.ts';
import { isJsonObject, type JsonObject } from '../text/json.ts';

const MAX_CHARACTERS = 256;
const CONTROL = /\p{Cc}/u;

/** The member names of a path: text is split at dots, a list is taken literally. */
export function toUsernamePath<Path extends readonly string[] | undefined>(
  path: string | Path,
): readonly string[] | Path {
  return typeof path === 'string' ? path.split('.') : path;
}

/**
 * The value at the path, unchanged: text of 1 to 256 characters without control characters, or an integer in decimal. Undefined for
 * anything else. Inherited members and entries of lists do not count.
 */
export function findUsername(claims: JsonObject, path: readonly string[]): string | undefined {
  let value: unknown = claims;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  // Beyond 2^53 two integers of JSON become one number, which would make two callers one user.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && isUsername(value) && keyOfEndUsername(value) === undefined
    ? value
    : undefined;
}

/** Lone surrogates are invalid: in UTF-8 they would all become the same character. */
export function isUsername(text: string): boolean {
  return text !== '' && !CONTROL.test(text) && text.isWellFormed() && [...text].length <= MAX_CHARACTERS;
}
