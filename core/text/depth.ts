// How deep JSON is nested, found without calling itself: what is too deep exhausts the stack of whatever walks through it or writes it.
import { endOfText } from './json.ts';

/** Levels of lists and objects in what callers send, a conversation with schemas and arguments of tools among it. */
export const MAX_BODY_DEPTH = 200;

/** Levels of arguments of a tool, of a schema, and of an answer that is JSON. None of use has nearly as many. */
export const MAX_VALUE_DEPTH = 100;

/** True for a value that has more levels of lists and objects than `max`. */
export function isDeeper(value: unknown, max: number): boolean {
  let level = [value].filter(isNesting);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === max) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNesting));
  }
  return false;
}

function isNesting(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The same for JSON as a text, without parsing it. Of what is no JSON it says nothing of use. */
export function isDeeperText(json: string, max: number): boolean {
  // Each level takes a character at least.
  if (json.length <= max) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (code === LIST || code === OBJECT) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === LIST_END || code === OBJECT_END) depth -= 1;
  }
  return false;
}

const [QUOTE, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d];
