// Makes text of unknown origin harmless on a terminal.

/**
 * Control characters (C0, DEL, C1: ECMA-48), the line separators of Unicode and the characters that turn the direction of text
 * (Unicode Standard Annex 9), which can make a line read differently from what it holds.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line: every unsafe character is written as its code point. */
export function printableLine(text: string): string {
  return text.replaceAll(
    UNSAFE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}}`,
  );
}

/** Several lines: line ends and tabs stay. */
export function printableText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(printableLine).join('\t'))
    .join('\n');
}

/** JSON on one line; what JSON leaves unescaped of the unsafe characters is escaped its own way, so the value stays the same. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNSAFE,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
