// Makes a value that a JSON Schema takes (json-schema.org/draft/2020-12), for the echo provider: simple schemas, one answer for each.
import type { JsonObject } from '../../../core/text/json.ts';

const MAX_DEPTH = 20;

/** `text` stands for every free text. Keywords that are not known here are passed over. */
export function exampleOf(schema: unknown, text: string, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return null;
  const {
    type,
    enum: choices,
    const: fixed,
    properties,
    items,
    anyOf,
    minItems,
    minimum,
  } = schema as JsonObject;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], text, depth + 1);
  switch (Array.isArray(type) ? type[0] : (type ?? (properties === undefined ? undefined : 'object'))) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, member]) => [name, exampleOf(member, text, depth + 1)]),
      );
    case 'array':
      return Array.from({ length: typeof minItems === 'number' ? Math.min(minItems, 10) : 1 }, () =>
        exampleOf(items, text, depth + 1),
      );
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}
