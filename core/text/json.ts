// Reads JSON whose shape is not known.

export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object; false for a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object, and no list; undefined for everything else. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** A member of a value that may be anything; undefined when it is no object or list, or has none of its own by that name. */
export function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[name];
}

/** A member that is a text; undefined for anything else. */
export function textMemberOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

/** The value at a path of member names and list indexes; undefined where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(memberOf, value);
}

/** True for JSON text with more values than `max`: what begins a list or an object, or follows a comma, is counted without parsing it. */
export function hasMoreValues(json: string, max: number): boolean {
  // Each value takes a character at least.
  if (json.length < max) return false;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(json, at);
      continue;
    }
    if (code !== COMMA && code !== LIST && code !== OBJECT) continue;
    values += 1;
    if (values > max) return true;
  }
  return false;
}

const [QUOTE, COMMA, LIST, OBJECT, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

/** The index of the quotation mark that ends a text; the length where none does. */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
}
