// Escapes text of unknown origin for a terminal.
import { JOINERS, UNSAFE_CHARACTERS } from '../../core/text/unsafe-characters.ts';

/** Writes every unsafe character as its code point, so that the text stays on one line. */
export function printableLine(text: string): string {
  return text.replaceAll(UNSAFE_CHARACTERS, toCodePoint);
}

/** The same, but line ends, tabs and joiners stay. */
export function printableText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE_CHARACTERS, (character) =>
      character === '\n' || character === '\t' || JOINERS.has(character) ? character : toCodePoint(character),
    );
}

/** JSON on one line. Unsafe characters that JSON does not escape are escaped as in JSON, so the value stays the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNSAFE_CHARACTERS,
    // JSON escapes both halves of a character beyond U+FFFF.
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
