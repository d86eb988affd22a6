// Characters that make a text look like another text: a terminal or a page shows their code points instead.

/**
 * Control characters (C0, DEL, C1: ECMA-48), lone surrogates, the line separators of Unicode, and its format characters. Those that turn
 * the direction of text (Unicode Standard Annex 9) make a line read differently; those without a width, and blank letters, make two
 * names look alike (Unicode Technical Standard 39).
 */
export const UNSAFE_CHARACTERS =
  /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** The two among them that join and part letters: many scripts, and emoji, need them. */
export const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d']);
