// Finds JSON objects within a text, such as between the words of a model.

/** Beginnings that are tried: a text of nothing but braces must end. */
const MAX_TRIES = 500;
/** UTF-16 units of one object. */
const MAX_LENGTH = 100_000;

/** Every object that stands in the text, the outer ones only. */
export function findJsonObjects(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let tries = 0;
  let at = text.indexOf('{');
  while (at !== -1 && tries < MAX_TRIES) {
    tries += 1;
    const end = endOfObject(text, at);
    const parsed = end === undefined ? undefined : parse(text.slice(at, end));
    if (parsed !== undefined) found.push(parsed);
    at = text.indexOf('{', parsed === undefined || end === undefined ? at + 1 : end);
  }
  return found;
}

/** After the brace that closes the one at `start`; braces within strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  const limit = Math.min(text.length, start + MAX_LENGTH);
  for (let at = start; at < limit; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
