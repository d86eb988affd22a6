// Parses JSON without loss: a number that a double does not hold stays as it is written. Ids and card numbers are such.

/** A number as it is written, which `JSON.stringify` writes the same way (tc39.es/proposal-json-parse-with-source). */
export interface ExactNumber {
  readonly rawJSON: string;
}

interface JsonWithSource {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}

const json = JSON as typeof JSON & JsonWithSource;

/** No text has a large number without one of them, and V8 finds that out in a fifth of the time. */
const MAY_BE_LARGE = [/\d\d\d\d\d\d\d\d/, /[\d.][Ee]\+?\d\d\d/];
/** Doubles hold every whole number of 15 digits, and none beyond 1.8e308. */
const ANY_LARGE = /(?:^|[:,[])\s*-?(?:\d{16}|[\d.]+[Ee]\+?\d{3})/;
const LARGE = /^-?(?:\d{16}|[\d.]+[Ee]\+?\d{3})/;

/** `text` is a number of JSON. */
export function exactNumber(text: string): ExactNumber {
  return json.rawJSON(text);
}

/** It is no `JsonObject`. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return json.isRawJSON(value);
}

/** With an `ExactNumber` in the place of each large number that would become another. Undefined for text that is not JSON. */
export function parseExactJson(text: string): unknown {
  try {
    const hasLarge = MAY_BE_LARGE.some((part) => part.test(text)) && ANY_LARGE.test(text);
    return hasLarge ? JSON.parse(text, keepLarge) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepLarge(_name: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  const isLost = typeof value === 'number' && LARGE.test(source) && String(value) !== source;
  return isLost ? exactNumber(source) : value;
}

/** The same value with doubles in the place of exact numbers, for what compares numbers; the very same where there are none. */
export function withDoubles(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isExactNumber(value)) return Number(value.rawJSON);
  return hasExact(value) ? JSON.parse(JSON.stringify(value)) : value;
}

function hasExact(root: object): boolean {
  const left: object[] = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const member of Object.values(next)) {
      if (typeof member !== 'object' || member === null) continue;
      if (isExactNumber(member)) return true;
      left.push(member);
    }
  }
  return false;
}
