// Characters that make a text look like another one than it is: a terminal or a page shows their code points instead.

/**
 * Control characters (C0, DEL, C1: ECMA-48), halves of pairs, the line separators of Unicode, and its format characters: those that turn the
 * direction of text (Unicode Standard Annex 9) make a line read differently from what it holds, those without a width, as letters that are
 * blank, make two names look like one (Unicode Technical Standard 39).
 */
export const UNSAFE_CHARACTERS =
  /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** Of these the two that join and part letters: many scripts, and emoji, are not written without them. */
export const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
