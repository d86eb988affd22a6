// Reads one text with commas as the list that promptfoo reads it as: blanks around entries are left out, and quotes hold commas.

/** Undefined for a quote without an end, and for text between a quote and the next comma. */
export function splitValues(text: string): readonly string[] | undefined {
  const values: string[] = [];
  let rest = text.replace(/^[\s,]+/, '');
  while (rest !== '') {
    const [whole, quoted, plain] = /^(?:"((?:\\["\\]|""|[^"])*)"\s*(?=,|$)|([^",][^,]*))/.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    values.push(quoted === undefined ? (plain ?? '').trim() : unquote(quoted));
    rest = rest.slice(whole.length).replace(/^[\s,]+/, '');
  }
  return values;
}

function unquote(text: string): string {
  return text.replaceAll(/\\(["\\])|""/g, (_whole, escaped: string | undefined) => escaped ?? '"');
}
