// Escapes text of unknown origin for a terminal.
import { JOINERS, UNSAFE_CHARACTERS } from '../../core/text/unsafe-characters.ts';

/** One line: every unsafe character is written as its code point. */
export function printableLine(text: string): string {
  return text.replaceAll(UNSAFE_CHARACTERS, toCodePoint);
}

/** Several lines: line ends, tabs and joiners stay. */
export function printableText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE_CHARACTERS, (character) =>
      character === '\n' || character === '\t' || JOINERS.has(character) ? character : toCodePoint(character),
    );
}

/** JSON on one line; what JSON leaves unescaped of the unsafe characters is escaped its own way, so the value stays the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNSAFE_CHARACTERS,
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
