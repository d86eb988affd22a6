// Keeps spreadsheets from running a text of a CSV file as a formula, in every locale, and gives the text back.

/** Passed over before a formula: blanks of any width, characters without one, and quotes that a program may not understand. */
const BLANKS = '[[\\s\\p{Cf}"]--[\\t\\r\\n]]*';
/** Begins a formula, full-width and small forms included (OWASP, CSV Injection). */
const FORMULA = `${BLANKS}[=+\\-@＝＋－＠﹦﹢﹣﹫]`;

/** The apostrophe itself is escaped too, so that removing one restores every text. */
const BEGINNING = new RegExp(`^(?:[\\t\\r\\n']|${FORMULA})`, 'v');

/**
 * The same after a character that separates cells in other locales (`;`), in other settings (tab, `|`), or ends rows where quotes are not
 * understood: there a text of one cell becomes several.
 */
const INNER = new RegExp(`(?<separator>[;\\|\\t\\r\\n])(?='*${FORMULA})`, 'gv');
const ESCAPED_INNER = new RegExp(`(?<separator>[;\\|\\t\\r\\n])'(?='*${FORMULA})`, 'gv');

/** An apostrophe before each formula: spreadsheets show such a cell as text. */
export function escapeFormulas(text: string): string {
  const inner = text.replaceAll(INNER, "$<separator>'");
  return BEGINNING.test(inner) ? `'${inner}` : inner;
}

export function unescapeFormulas(text: string): string {
  const inner = text.startsWith("'") ? text.slice(1) : text;
  return inner.replaceAll(ESCAPED_INNER, '$<separator>');
}

/** A cell (RFC 4180), in quotes wherever it has a quote or any separator. */
export function quoteCell(text: string): string {
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
