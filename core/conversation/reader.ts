// Declares the values of a request: each declaration reads a value strictly, and describes it for docs/openapi.json.
// The first mistake ends a request with the path of the member and what it must be.
import { ServiceError } from '../contract/service-error.ts';
import { MAX_VALUE_DEPTH } from '../text/depth.ts';
import { isJsonObject, type JsonObject, memberOf } from '../text/json.ts';

/** A value with its path, such as `messages[3].content`. */
export interface LocatedValue {
  readonly path: string;
  readonly value: unknown;
}

export interface Reader<T> {
  /** Throws 422 `invalid_input`. */
  read(located: LocatedValue): T;
  /** JSON Schema (draft 2020-12). */
  readonly schema: JsonObject;
}

/** The values that a reader gives. */
export type ValueOf<R> = R extends Reader<infer T> ? T : never;

/** 422 `invalid_input`. `must` completes a sentence about the member and holds nothing that a caller sent. */
export function invalidAt(path: string, must: string): ServiceError {
  return new ServiceError('invalid_input', { param: path, detail: `"${path}" ${must}.` });
}

/** Any value, unread; `schema` describes the values of use. */
export function anything(schema: JsonObject = {}): Reader<unknown> {
  return { schema, read: ({ value }) => value };
}

/** Any text; well-formed, since half of a surrogate pair has no bytes in UTF-8. */
export const TEXT: Reader<string> = {
  schema: { type: 'string' },
  read({ path, value }) {
    if (typeof value !== 'string') throw invalidAt(path, 'must be a text');
    if (!value.isWellFormed()) throw invalidAt(path, 'must be well-formed Unicode');
    return value;
  },
};

/** A text of at least one character, and at most so many UTF-16 units. */
export function filledText(max: number, must = `must be a text of 1 to ${max} characters`): Reader<string> {
  return {
    schema: { type: 'string', minLength: 1, ...(Number.isFinite(max) ? { maxLength: max } : {}) },
    read(located) {
      const text = TEXT.read(located);
      if (text === '' || text.length > max) throw invalidAt(located.path, must);
      return text;
    },
  };
}

const NAME_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** Any object, unread and with its path. */
export const LOCATED_OBJECT: Reader<LocatedValue & { readonly value: JsonObject }> = {
  schema: { type: 'object' },
  read({ path, value }) {
    if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
    return { path, value };
  },
};

/** The name of a tool or of a schema, as every provider takes it. */
export const NAME: Reader<string> = {
  schema: { type: 'string', pattern: NAME_PATTERN.source },
  read(located) {
    const name = TEXT.read(located);
    if (!NAME_PATTERN.test(name)) throw invalidAt(located.path, 'must be 1 to 64 letters, digits, _ or -');
    return name;
  },
};

/** A text of a closed set. */
export function choice<const T extends string>(choices: readonly T[]): Reader<T> {
  const [first, ...others] = choices;
  return {
    schema: others.length === 0 ? { const: first } : { type: 'string', enum: choices },
    read({ path, value }) {
      const chosen = choices.find((one) => one === value);
      if (chosen === undefined) throw invalidAt(path, `must be one of ${choices.join(', ')}`);
      return chosen;
    },
  };
}

/** A finite number within bounds, both inclusive. */
export function number(minimum: number, maximum: number): Reader<number> {
  return {
    schema: { type: 'number', minimum, maximum },
    read({ path, value }) {
      if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
      throw invalidAt(path, `must be a number from ${minimum} to ${maximum}`);
    },
  };
}

/** A whole number within bounds, both inclusive. */
export function integer(minimum: number, maximum: number): Reader<number> {
  const within = number(minimum, maximum);
  return {
    schema: { ...within.schema, type: 'integer' },
    read(located) {
      if (Number.isInteger(located.value)) return within.read(located);
      throw invalidAt(located.path, `must be a whole number from ${minimum} to ${maximum}`);
    },
  };
}

export const FLAG: Reader<boolean> = {
  schema: { type: 'boolean' },
  read({ path, value }) {
    if (typeof value !== 'boolean') throw invalidAt(path, 'must be true or false');
    return value;
  },
};

/** A list of so many entries of one kind. */
export function list<T>(entry: Reader<T>, minItems: number, maxItems: number): Reader<readonly T[]> {
  return {
    schema: { type: 'array', minItems, maxItems, items: entry.schema },
    read({ path, value }) {
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
        throw invalidAt(path, `must be a list of ${minItems} to ${maxItems} entries`);
      return value.map((one: unknown, index) => entry.read({ path: `${path}[${index}]`, value: one }));
    },
  };
}

/** A member that may be missing or null. */
interface Optional<T> extends Reader<T> {
  readonly isOptional: true;
}

/** The same value, where it may be missing or null. */
export function optional<T>(reader: Reader<T>): Optional<T> {
  return { schema: reader.schema, read: (located) => reader.read(located), isOptional: true };
}

type Members = Readonly<Record<string, Reader<unknown>>>;
type OptionalName<M extends Members> = {
  [N in keyof M]: M[N] extends Optional<unknown> ? N : never;
}[keyof M];
type ObjectOf<M extends Members> = {
  readonly [N in Exclude<keyof M, OptionalName<M>>]: ValueOf<M[N]>;
} & { readonly [N in OptionalName<M>]?: ValueOf<M[N]> };

/** An object with these members, read in this order. Throws for any other: nothing is dropped in silence. */
export function object<M extends Members>(members: M, description?: string): Reader<ObjectOf<M>> {
  return readMembers(members, description, true);
}

/**
 * The same, and members of other names are passed over: clients send back what an SDK or another server put into a message, and none of it
 * ever reached a model.
 */
export function openObject<M extends Members>(members: M, description?: string): Reader<ObjectOf<M>> {
  return readMembers(members, description, false);
}

function readMembers<M extends Members>(
  members: M,
  description: string | undefined,
  isClosed: boolean,
): Reader<ObjectOf<M>> {
  const entries = Object.entries(members);
  const names = entries.map(([name]) => name);
  const required = entries.flatMap(([name, reader]) => ('isOptional' in reader ? [] : [name]));
  return {
    schema: {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      ...(isClosed ? { additionalProperties: false } : {}),
    },
    read({ path, value }) {
      if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
      if (isClosed && hasOthers(value, names))
        throw invalidAt(path, `may have the members ${names.join(', ')} only`);
      const result: Record<string, unknown> = {};
      for (const [name, reader] of entries) {
        const member = { path: `${path}.${name}`, value: memberOf(value, name) };
        if (member.value !== undefined && member.value !== null) result[name] = reader.read(member);
        else if (!('isOptional' in reader)) throw invalidAt(member.path, 'is missing');
      }
      return result as ObjectOf<M>;
    },
  };
}

/** Without a copy of its members, which a caller may send by the ten thousand. */
function hasOthers(value: JsonObject, names: readonly string[]): boolean {
  for (const name in value) if (value[name] !== null && !names.includes(name)) return true;
  return false;
}

/** Several objects told apart by one member. `must` is said of a value that is no object. */
export function variants<V extends Members>(
  member: string,
  must: string,
  byValue: V,
): Reader<ValueOf<V[keyof V]>> {
  const values = choice(Object.keys(byValue));
  const schemas = new Set(Object.values(byValue).map(({ schema }) => schema));
  return {
    schema: { oneOf: [...schemas] },
    read(located) {
      const { path, value } = located;
      if (!isJsonObject(value)) throw invalidAt(path, must);
      const chosen = values.read({ path: `${path}.${member}`, value: value[member] });
      return byValue[chosen]?.read(located) as ValueOf<V[keyof V]>;
    },
  };
}

/** The value of another reader, made into something else, or refused. */
export function mapped<T, U>(reader: Reader<T>, map: (value: T, located: LocatedValue) => U): Reader<U> {
  return { schema: reader.schema, read: (located) => map(reader.read(located), located) };
}

/** The same reader with keywords for its description, such as `description`. */
export function noted<T>(reader: Reader<T>, keywords: JsonObject): Reader<T> {
  return { schema: { ...reader.schema, ...keywords }, read: (located) => reader.read(located) };
}

/** Values within a schema: those of use have some hundred. */
const MAX_VALUES = 10_000;

/** An object of any members and at most so many values. */
export function jsonObject(maxValues: number): Reader<JsonObject> {
  return {
    schema: { type: 'object' },
    read({ path, value }) {
      if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
      checkMembers(path, value, maxValues);
      return value;
    },
  };
}

/** A JSON Schema. */
export const JSON_OBJECT = jsonObject(MAX_VALUES);

/** Without calling itself, which would meet the very end that this guards against, and without a copy of what it is given. */
function checkMembers(path: string, root: JsonObject, maxValues: number): void {
  const left: (readonly [value: object, depth: number])[] = [[root, 1]];
  let values = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, depth] = next;
    if (depth > MAX_VALUE_DEPTH)
      throw invalidAt(path, `must not be nested more than ${MAX_VALUE_DEPTH} deep`);
    for (const name in one) {
      values += 1;
      if (values > maxValues) throw invalidAt(path, `must not have more than ${maxValues} values`);
      const member: unknown = (one as Readonly<Record<string, unknown>>)[name];
      if (typeof member === 'object' && member !== null) left.push([member, depth + 1]);
      if (!name.isWellFormed() || (typeof member === 'string' && !member.isWellFormed())) {
        throw invalidAt(path, 'must be well-formed Unicode');
      }
    }
  }
}
