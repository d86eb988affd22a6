// Keeps spreadsheets from running a text of a CSV file as a formula, in every locale, and gives the text back.

/**
 * Beginnings of a formula, including full-width forms (OWASP, CSV Injection). The apostrophe itself is escaped too, so that removing one
 * restores every text.
 */
const BEGINNING = /^(?:[\t\r\n']|[ "]*[=+\-@＝＋－＠])/u;

/**
 * The same after a character that separates cells in other locales (`;`), in other settings (tab, `|`), or ends rows where quotes are not
 * understood: there a text of one cell becomes several.
 */
const INNER = /(?<separator>[;|\t\r\n])(?='*[ "]*[=+\-@＝＋－＠])/gu;
const ESCAPED_INNER = /(?<separator>[;|\t\r\n])'(?='*[ "]*[=+\-@＝＋－＠])/gu;

/** An apostrophe before each formula: spreadsheets show such a cell as text. */
export function escapeFormulas(text: string): string {
  const inner = text.replaceAll(INNER, "$<separator>'");
  return BEGINNING.test(inner) ? `'${inner}` : inner;
}

/** The inverse of `escapeFormulas`. */
export function unescapeFormulas(text: string): string {
  const inner = text.startsWith("'") ? text.slice(1) : text;
  return inner.replaceAll(ESCAPED_INNER, '$<separator>');
}

/** A cell (RFC 4180), in quotes wherever it has a quote or any separator. */
export function quoteCell(text: string): string {
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
