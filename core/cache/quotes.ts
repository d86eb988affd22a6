// Finds what a text quotes, in one pass: a pattern would go to the end of the text again for every quotation mark left open.

/** What closes each mark. */
const CLOSES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['‘', '’'],
  ["'", "'"],
  ['`', '`'],
]);
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The quoted parts, exactly as they stand there; what stands within one is not looked at again. */
export function findQuotes(text: string): string[] {
  const quotes: string[] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    const closers = CLOSES.get(mark);
    if (closers === undefined || unclosed.has(mark) || isApostrophe(text, at)) continue;
    const end = findEnd(text, at + 1, closers);
    if (end === undefined) {
      // None closes it from here, so none closes a later one.
      unclosed.add(mark);
      continue;
    }
    if (end > at + 1) quotes.push(text.slice(at + 1, end));
    at = end;
  }
  return quotes;
}

function findEnd(text: string, from: number, closers: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const isWithinWord = "'’".includes(text.charAt(at)) && LETTER_OR_DIGIT.test(text.charAt(at + 1));
    if (closers.includes(text.charAt(at)) && !isWithinWord) return at;
  }
  return undefined;
}

/** As in `don't`: a letter or digit stands before it. */
function isApostrophe(text: string, at: number): boolean {
  return text.charAt(at) === "'" && at > 0 && LETTER_OR_DIGIT.test(text.charAt(at - 1));
}
