// Changes texts within JSON, and nothing else of it.
import { isJsonObject, parseJson } from '../text/json.ts';

/** The value with each text, name and number as `change` makes it; the very same value where it changes none. A number becomes a text. */
export function mapJson(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') {
    const written = String(value);
    const changed = change(written);
    return changed === written ? value : changed;
  }
  if (Array.isArray(value)) {
    const mapped = value.map((one) => mapJson(one, change));
    return mapped.every((one, index) => one === value[index]) ? value : mapped;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value);
  const mapped = members.map(([name, member]) => [change(name), mapJson(member, change)] as const);
  const isSame = mapped.every(
    ([name, one], index) => name === members[index]?.[0] && one === members[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(mapped);
}

/** The same for JSON as a text, which stays as it is written where nothing changes. One that is no JSON is changed as a whole. */
export function mapJsonText(text: string, change: (text: string) => string): string {
  const parsed = LONG_NUMBER.test(text) ? parseLongNumbers(text, change) : { value: parseJson(text) };
  if (parsed.value === undefined) return change(text);
  const mapped = mapJson(parsed.value, change);
  return mapped === parsed.value && parsed.isChanged !== true ? text : JSON.stringify(mapped);
}

/** One that a double may not hold: a card has up to 19 digits. */
const LONG_NUMBER = /\d{16}/;

interface ParsedJson {
  readonly value: unknown;
  readonly isChanged?: boolean;
}

/** Parses JSON, and changes numbers by what is written where their value is another. No value where it is no JSON. */
function parseLongNumbers(text: string, change: (text: string) => string): ParsedJson {
  let isChanged = false;
  const revive = (_name: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const written = context?.source;
    if (typeof value !== 'number' || written === undefined || written === String(value)) return value;
    const changed = change(written);
    if (changed === written) return value;
    isChanged = true;
    return changed;
  };
  try {
    return { value: JSON.parse(text, revive), isChanged };
  } catch {
    return { value: undefined };
  }
}

/** Escapes of JSON (RFC 8259, section 7), whole ones. */
const ESCAPES = /\\(?:u([0-9A-Fa-f]{4})|.)/g;
/** Characters that JSON must escape; surrogates stay as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, section 7, has these very characters escaped.
const NEEDED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The same JSON without escapes that it does not need, such as `\u0040` and `\/`; the very same text where it is none, or has none. */
export function withoutEscapes(text: string): string {
  if (!/\\[u/]/.test(text) || !/^\s*[{["]/.test(text) || parseJson(text) === undefined) return text;
  return text.replace(ESCAPES, (written: string, code?: string) => {
    if (code === undefined) return written === '\\/' ? '/' : written;
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return NEEDED.test(character) ? written : character;
  });
}
