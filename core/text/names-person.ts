// Finds names of persons in short texts, such as tags.

/** True for a text that is one of the names, or has it as words of its own, in any case and whether its letters are composed or not. */
export function namesPerson(text: string, usernames: readonly string[]): boolean {
  return usernames.some((username) => hasName(text, username));
}

function hasName(text: string, username: string): boolean {
  const [lower, name] = [foldName(text), foldName(username)];
  if (name === '') return false;
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
    const [before, after] = [lower.slice(0, at), lower.slice(at + name.length)];
    if (!ENDS_IN_WORD.test(before) && !BEGINS_WITH_WORD.test(after)) return true;
  }
  return false;
}

/** Composed, in small letters: two spellings of one name in a text. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Each name, folded, that `namesPerson` could find in the text, for names that are known by their digests alone. */
export function listNames(text: string): ReadonlySet<string> {
  const lower = foldName(text);
  const places = Array.from({ length: lower.length + 1 }, (_, at) => at);
  const starts = places.filter((at) => !ENDS_IN_WORD.test(lower.slice(0, at)));
  const ends = places.filter((at) => !BEGINS_WITH_WORD.test(lower.slice(at)));
  return new Set(
    starts.flatMap((start) => ends.filter((end) => end > start).map((end) => lower.slice(start, end))),
  );
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u;
