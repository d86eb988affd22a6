// Escapes text of unknown origin for a terminal.

/**
 * Control characters (C0, DEL, C1: ECMA-48), halves of pairs, the line separators of Unicode, and its format characters: those that turn the
 * direction of text (Unicode Standard Annex 9) make a line read differently from what it holds, those without a width, as letters that are
 * blank, make two names look like one (Unicode Technical Standard 39).
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;
/** Of these the two that join and part letters: many scripts, and emoji, are not written without them. */
const JOINERS = new Set(['\u200c', '\u200d']);

/** One line: every unsafe character is written as its code point. */
export function printableLine(text: string): string {
  return text.replaceAll(UNSAFE, toCodePoint);
}

/** Several lines: line ends, tabs and joiners stay. */
export function printableText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, (character) =>
      character === '\n' || character === '\t' || JOINERS.has(character) ? character : toCodePoint(character),
    );
}

/** JSON on one line; what JSON leaves unescaped of the unsafe characters is escaped its own way, so the value stays the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNSAFE,
    // Of a character beyond the first 65,536 JSON escapes both halves.
    (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
  );
}

function toCodePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`;
}
