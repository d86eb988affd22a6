// Arguments of tool calls, which providers send as a text of JSON.
import type { JsonObject } from '../../core/text/json.ts';
import { toJsonObject } from '../../core/text/json.ts';

/** No text at all is no argument; one that is cut off, or no object, is undefined. */
export function parseToolArguments(text: unknown): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return toJsonObject(text === '' ? {} : JSON.parse(text));
  } catch {
    return undefined;
  }
}
