// Finds names of persons in short texts, such as tags.

/** True for a text that is one of the names, or has it as words of its own, in any case and whether its letters are composed or not. */
export function namesPerson(text: string, usernames: readonly string[]): boolean {
  return usernames.some((username) => hasName(text, username));
}

function hasName(text: string, username: string): boolean {
  const [lower = '', name = ''] = [text, username].map((one) => one.normalize('NFC').toLowerCase());
  if (name === '') return false;
  for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
    const [before, after] = [lower.slice(0, at), lower.slice(at + name.length)];
    if (!ENDS_IN_WORD.test(before) && !BEGINS_WITH_WORD.test(after)) return true;
  }
  return false;
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u;
