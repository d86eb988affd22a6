// Changes texts within JSON, and nothing else of it.
import { isExactNumber, parseExactJson } from '../text/exact-json.ts';
import { isJsonObject } from '../text/json.ts';

/** The value with each text, name and number as `change` makes it; the very same value where it changes none. A number becomes a text. */
export function mapJson(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number' || isExactNumber(value)) {
    const written = isExactNumber(value) ? value.rawJSON : String(value);
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
  const value = parseExactJson(text);
  if (value === undefined) return change(text);
  const mapped = mapJson(value, change);
  return mapped === value ? text : JSON.stringify(mapped);
}

/** Escapes of JSON (RFC 8259, section 7), whole ones. */
const ESCAPES = /\\(?:u([0-9A-Fa-f]{4})|.)/g;
/** Characters that JSON must escape; surrogates stay as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259, section 7, has these very characters escaped.
const NEEDED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The same JSON without escapes that it does not need, such as `\u0040` and `\/`; the very same text where it is none, or has none. */
export function withoutEscapes(text: string): string {
  if (!/\\[u/]/.test(text) || !/^\s*[{["]/.test(text) || parseExactJson(text) === undefined) return text;
  return text.replace(ESCAPES, (written: string, code?: string) => {
    if (code === undefined) return written === '\\/' ? '/' : written;
    const character = String.fromCharCode(Number.parseInt(code, 16));
    return NEEDED.test(character) ? written : character;
  });
}
