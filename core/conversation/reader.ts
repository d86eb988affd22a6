// Reads values of a request strictly: the first mistake ends it with the path of the member and what it must be.

import { ServiceError } from '../contract/service-error.ts';
import { isJsonObject, type JsonObject, memberOf } from '../text/json.ts';

/** A value with its path, such as `messages[3].content`. */
export interface Located {
  readonly path: string;
  readonly value: unknown;
}

/** An object with the path of each member. */
export interface ObjectReader {
  readonly path: string;
  /** Undefined where the member is missing or null. */
  optional(name: string): Located | undefined;
  /** Throws where the member is missing or null. */
  required(name: string): Located;
}

/** 422 `invalid_input`. `must` completes a sentence about the member and holds nothing that a caller sent. */
export function invalidAt(path: string, must: string): ServiceError {
  return new ServiceError('invalid_input', { param: path, detail: `"${path}" ${must}.` });
}

/** Throws for members that are not listed: nothing is dropped in silence. */
export function readObject({ path, value }: Located, members: readonly string[]): ObjectReader {
  if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
  const unknown = Object.entries(value).find(([name, member]) => member !== null && !members.includes(name));
  if (unknown !== undefined) throw invalidAt(path, `may have the members ${members.join(', ')} only`);
  const optional = (name: string): Located | undefined => {
    const member = memberOf(value, name);
    return member === undefined || member === null ? undefined : { path: `${path}.${name}`, value: member };
  };
  return {
    path,
    optional,
    required(name) {
      const member = optional(name);
      if (member === undefined) throw invalidAt(`${path}.${name}`, 'is missing');
      return member;
    },
  };
}

/** Between `least` and `most` entries. */
export function readList({ path, value }: Located, least: number, most: number): readonly Located[] {
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    throw invalidAt(path, `must be a list of ${least} to ${most} entries`);
  }
  return value.map((entry: unknown, index) => ({ path: `${path}[${index}]`, value: entry }));
}

/** Any text; well-formed, since half of a surrogate pair has no bytes in UTF-8. */
export function readText({ path, value }: Located): string {
  if (typeof value !== 'string') throw invalidAt(path, 'must be a text');
  if (!value.isWellFormed()) throw invalidAt(path, 'must be well-formed Unicode');
  return value;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The name of a tool or of a schema, as every provider takes it. */
export function readName(located: Located): string {
  const name = readText(located);
  if (!NAME.test(name)) throw invalidAt(located.path, 'must be 1 to 64 letters, digits, _ or -');
  return name;
}

/** A text of a closed set. */
export function readChoice<T extends string>({ path, value }: Located, choices: readonly T[]): T {
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw invalidAt(path, `must be one of ${choices.join(', ')}`);
  return choice;
}

/** A finite number within bounds, both inclusive. */
export function readNumber({ path, value }: Located, least: number, most: number): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw invalidAt(path, `must be a number from ${least} to ${most}`);
  }
  return value;
}

/** A whole number within bounds, both inclusive. */
export function readInteger(located: Located, least: number, most: number): number {
  const { path, value } = located;
  if (!Number.isInteger(value)) throw invalidAt(path, `must be a whole number from ${least} to ${most}`);
  return readNumber(located, least, most);
}

/** `true` or `false`. */
export function readFlag({ path, value }: Located): boolean {
  if (typeof value !== 'boolean') throw invalidAt(path, 'must be true or false');
  return value;
}

/** Deeper values exhaust the stack of whatever writes them as text. No schema or argument of use is nearly as deep. */
const MAX_DEPTH = 100;

/** An object of any members, such as a JSON Schema. */
export function readJsonObject({ path, value }: Located): JsonObject {
  if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
  checkMembers(path, value);
  return value;
}

/** Level by level, since a function that calls itself would meet the very end that this guards against. */
function checkMembers(path: string, object: JsonObject): void {
  let level: readonly object[] = [object];
  for (let left = MAX_DEPTH; level.length > 0; left -= 1) {
    if (left === 0) throw invalidAt(path, `must not be nested more than ${MAX_DEPTH} deep`);
    const entries = level.flatMap((one) => Object.entries(one));
    const isWellFormed = entries.every(
      ([name, member]) => name.isWellFormed() && (typeof member !== 'string' || member.isWellFormed()),
    );
    if (!isWellFormed) throw invalidAt(path, 'must be well-formed Unicode');
    level = entries.flatMap(([, member]) => (typeof member === 'object' && member !== null ? [member] : []));
  }
}
