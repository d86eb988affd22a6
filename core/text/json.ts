// Reads JSON whose shape is not known.
import { isExactNumber } from './exact-json.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object; false for a list, and for a number that is kept as it is written. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** The value when it is an object, and no list; undefined for everything else. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The value when it is a list; an empty one for everything else. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member of a value that may be anything; undefined when it is no object or list, or has none of its own by that name. */
export function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[name];
}

export function textMemberOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

/** The value at a path of member names and list indexes; undefined where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(memberOf, value);
}

/** True for JSON text with more values and names of members than `max`, without parsing it. */
export function hasMoreValues(json: string, max: number): boolean {
  // Each takes a character at least.
  return json.length >= max && countValues(json, max) > max;
}

/**
 * Values and names of members in JSON text: what begins a list or an object, and what follows a comma or a colon. Beyond `max` it stops
 * counting.
 */
export function countValues(json: string, max: number): number {
  let values = 0;
  let silent = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(json, at);
      silent = 0;
    } else if (code === COMMA || code === COLON || code === LIST || code === OBJECT) {
      values += 1;
      if (values > max) return values;
      silent = 0;
    } else {
      silent += 1;
      // A long number, or blanks: the engine's own search is fifty times as fast.
      if (silent % LONG === 0) at = nextMark(json, at + 1) - 1;
    }
  }
  return values;
}

const [QUOTE, COMMA, COLON, LIST, OBJECT, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5b, 0x7b, 0x5c];

/** Characters without a mark after which the next one is searched. */
const LONG = 64;

/** The index of the next character that is of any account outside texts; the length where there is none. */
function nextMark(json: string, start: number): number {
  const found = json.slice(start).search(/[",:[{]/);
  return found === -1 ? json.length : start + found;
}

/** Characters of a text that are looked at one by one, again and again: the search is slow where every second one is escaped. */
const CHUNK = 64;

/** The index of the quotation mark that ends a text; the length where none does. */
export function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    const end = Math.min(json.length, at + CHUNK);
    for (; at < end; at += 1) {
      const code = json.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
    const quote = json.indexOf('"', at);
    if (quote === -1) return json.length;
    if (!isEscaped(json, at, quote)) return quote;
    at = quote + 1;
  }
  return json.length;
}

/** Backslashes that are compared at once. */
const RUN = '\\'.repeat(1_024);

/** True behind an odd number of backslashes. What stands at `start` is not escaped. */
function isEscaped(json: string, start: number, quote: number): boolean {
  let at = quote;
  while (at - RUN.length >= start && json.startsWith(RUN, at - RUN.length)) at -= RUN.length;
  while (at > start && json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}
