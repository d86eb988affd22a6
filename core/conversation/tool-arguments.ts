// Arguments of a tool call: a JSON object, or the text that a model wrote in its place.
import { parseExactJson } from '../text/exact-json.ts';
import { isJsonObject, type JsonObject } from '../text/json.ts';

/** A text is what the model wrote where that is no JSON object: cut off, or of another type. Long numbers stay as they are written. */
export type ToolArguments = JsonObject | string;

/** The member that holds a text for providers whose calls take objects only. */
export const INVALID_ARGUMENTS = 'invalidArguments';

/** An empty text means no arguments; a text that is no JSON object stays as it is. */
export function parseArguments(text: string): ToolArguments {
  const value = text === '' ? {} : parseExactJson(text);
  return isJsonObject(value) ? value : text;
}

/** As OpenAI's interface writes arguments. */
export function argumentsText(input: ToolArguments): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** As Anthropic and Bedrock take them. */
export function argumentsObject(input: ToolArguments): JsonObject {
  return typeof input === 'string' ? { [INVALID_ARGUMENTS]: input } : input;
}
