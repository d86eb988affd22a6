// Reads JSON that somebody else wrote.

/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A member of a value that may be anything; undefined when it is no object, or has none of its own by that name. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** The same for a text; undefined for anything else. */
export function textMemberOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

/** The value when it is an object, and no list; undefined for everything else. */
export function toJsonObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}
