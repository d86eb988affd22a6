// Finds what a text quotes, and the signs that change what is asked: points and quotes beside numbers, operators, and signs before names.
// Punctuation of sentences is none of them.

/** A word with what is joined to it, a number, or one sign. */
const TOKEN = new RegExp(
  `${/[\p{L}\p{M}_]+(?:['’][\p{L}\p{M}_]+)*|\p{N}+(?:[.,:/-]\p{N}+)*/u.source}|[\\p{P}\\p{S}]`,
  'gu',
);
const WORD_OR_NUMBER = /^[\p{L}\p{M}\p{N}_]/u;

const DASHES = /^[-‐‑–−]$/;
const ENDS = /^[.!?]$/;
/** Said again by other features (paths and addresses, percents), or decoration. */
const ELSEWHERE = /^[@/\\_%‰`•‣¿¡]$/;
/** Quotation marks, in two spellings. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ...['"', '“', '”', '„', '«', '»'].map((mark) => [mark, '"'] as const),
  ...["'", '‘', '’', '′'].map((mark) => [mark, "'"] as const),
  ['″', "''"],
]);

interface Token {
  readonly text: string;
  readonly at: number;
  readonly isSign: boolean;
}

/** Where a sign stands: what is before and after it, and whether it touches them. */
interface Surroundings {
  readonly before: Token | undefined;
  readonly after: Token | undefined;
  readonly touchesBefore: boolean;
  readonly touchesAfter: boolean;
}

/**
 * Each in the order of the text, with the words or numbers that it belongs to in lower case: `.5`, `-x`, `a-b`, `!user`, `6'`. `isQuote`
 * says of an index whether a quotation mark that opens or closes a quote stands there.
 */
export function findSigns(text: string, isQuote: (index: number) => boolean): string[] {
  const tokens = [...text.matchAll(TOKEN)].map(
    ({ 0: found, index: at }): Token => ({ text: found, at, isSign: !WORD_OR_NUMBER.test(found) }),
  );
  return tokens.flatMap((token, index) => {
    if (!token.isSign || ELSEWHERE.test(token.text)) return [];
    const around = surroundingsOf(tokens, index);
    const sign = MARKS.has(token.text) ? markOf(token, around, isQuote) : signOf(token, around);
    return sign === undefined ? [] : [toFeature(sign, around)];
  });
}

function surroundingsOf(tokens: readonly Token[], index: number): Surroundings {
  const token = tokens[index];
  const [before, after] = [tokens[index - 1], tokens[index + 1]];
  const end = (one: Token | undefined): number | undefined => one && one.at + one.text.length;
  return {
    before,
    after,
    touchesBefore: before !== undefined && end(before) === token?.at,
    touchesAfter: after !== undefined && end(token) === after.at,
  };
}

/** Undefined for a mark that quotes, and for an apostrophe: `6'` and `f'` are neither. */
function markOf(
  { text, at }: Token,
  { before, after, touchesBefore, touchesAfter }: Surroundings,
  isQuote: (index: number) => boolean,
): string | undefined {
  const mark = MARKS.get(text);
  if (touchesBefore && isNumber(before)) return mark;
  if (isQuote(at)) return undefined;
  return (touchesBefore && isLetter(before)) || (touchesAfter && isNumber(after)) ? mark : undefined;
}

/** Undefined for punctuation of a sentence or a word. */
function signOf({ text }: Token, around: Surroundings): string | undefined {
  const { before, after, touchesBefore, touchesAfter } = around;
  if (ENDS.test(text)) return isSentenceEnd(text, around) ? undefined : text;
  if (text === ',' || text === ';' || text === ':') {
    if (touchesBefore) return undefined;
    // `,5` is a number of half of the world, `:x` a name, and `3 : 4` a ratio; French has a space before a colon.
    const isRatio = text === ':' && [before, after].some((one) => isNumber(one) || isLetter(one));
    return touchesAfter || isRatio ? text : undefined;
  }
  // Between parts of a sentence, unless it stands at a number.
  if (text === '—') return touchesAfter && !touchesBefore && isNumber(after) ? '-' : undefined;
  if (DASHES.test(text)) {
    const areLetters = isLetter(before) && isLetter(after);
    const isWithinWord = touchesBefore && touchesAfter && isWord(before) && isWord(after) && !areLetters;
    // Also what is left open: pre- and post-war.
    const isJoint = isWithinWord || (touchesBefore && !touchesAfter && isWord(before) && !isLetter(before));
    return isJoint ? undefined : '-';
  }
  // Pictures stand by themselves, wherever they are.
  if (/^\p{So}$/u.test(text)) return undefined;
  // Approximately, as in prose; before a name, also twice, it turns bits round.
  if (text === '~')
    return touchesAfter && after?.isSign === false && (!touchesBefore || before?.text === '~')
      ? text
      : undefined;
  return text;
}

/** A factorial, a negation and what operators of code are made of are no end of a sentence. */
function isSentenceEnd(text: string, { before, after, touchesBefore, touchesAfter }: Surroundings): boolean {
  if (text === '!' && touchesBefore && (isLetter(before) || isNumber(before))) return false;
  // `e.g.` and `index.html`, which other features see.
  if (text === '.' && touchesBefore && touchesAfter && isWord(before) && isWord(after)) return true;
  // French has a space before these.
  if (text !== '.' && !touchesBefore && !touchesAfter)
    return after === undefined || /^\p{Lu}/u.test(after.text);
  const follows =
    touchesBefore && before !== undefined && (!before.isSign || /[.!?'"’”»%\p{S}]/u.test(before.text));
  return follows && (!touchesAfter || (after?.isSign === true && /[.!?,;:'"’”»]/.test(after.text)));
}

/** Both sides of what joins two, one side of what stands at one. Percents and currencies may stand on either. */
function toFeature(sign: string, { before, after, touchesBefore, touchesAfter }: Surroundings): string {
  const isBinary = before !== undefined && after !== undefined && touchesBefore === touchesAfter;
  if (/\p{Sc}/u.test(sign)) return `${sign}${touchesAfter ? (after?.text ?? '').toLowerCase() : ''}`;
  const left = isBinary || touchesBefore ? before?.text : '';
  const right = isBinary || touchesAfter ? after?.text : '';
  return `${left ?? ''}${sign}${right ?? ''}`.toLowerCase();
}

function isNumber(token: Token | undefined): boolean {
  return token !== undefined && /^\p{N}/u.test(token.text);
}

function isWord(token: Token | undefined): boolean {
  return token !== undefined && !token.isSign && !isNumber(token);
}

/** One alone: a variable rather than a word. */
function isLetter(token: Token | undefined): boolean {
  return token !== undefined && /^[\p{L}_]\p{M}*$/u.test(token.text);
}

/** Closing marks by opening mark. */
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

/** A quoted part, exactly as it stands there, with the places of its marks. */
export interface Quote {
  readonly text: string;
  readonly opensAt: number;
  readonly closesAt: number;
}

/** The quoted parts; what stands within one is not looked at again. */
export function findQuotes(text: string): Quote[] {
  const quotes: Quote[] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    const closers = CLOSES.get(mark);
    if (closers === undefined || unclosed.has(mark) || isPartOfWord(text, at)) continue;
    const end = findEnd(text, at + 1, closers);
    if (end === undefined) {
      // None closes it from here, so none closes a later one.
      unclosed.add(mark);
      continue;
    }
    if (end > at + 1) quotes.push({ text: text.slice(at + 1, end), opensAt: at, closesAt: end });
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

/** As in `don't`, 6' and 6": a letter or a digit stands before it. */
function isPartOfWord(text: string, at: number): boolean {
  if (at === 0) return false;
  const before = text.charAt(at - 1);
  return /\p{N}/u.test(before) || (text.charAt(at) === "'" && LETTER_OR_DIGIT.test(before));
}
