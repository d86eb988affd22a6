// Arguments of tool calls, which providers send as JSON text.
import { type JsonObject, toJsonObject } from '../../core/text/json.ts';

/** An empty text means no arguments. Undefined for text that is cut, or no object. */
export function parseToolArguments(text: unknown): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return toJsonObject(text === '' ? {} : JSON.parse(text));
  } catch {
    return undefined;
  }
}
