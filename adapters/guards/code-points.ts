// Places that a service counts in code points, as places in a JavaScript text.

/** Undefined for what is no place of the text. */
export function toSpan(
  text: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const isPlace = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start;
  if (!isPlace) return undefined;
  const from = unitsOf(text, 0, start);
  const to = from === undefined ? undefined : unitsOf(text, from, end - start);
  return from === undefined || to === undefined ? undefined : { start: from, end: to };
}

/** The place that lies so many code points after another one. */
function unitsOf(text: string, from: number, codePoints: number): number | undefined {
  let at = from;
  for (let left = codePoints; left > 0; left -= 1) {
    const code = text.codePointAt(at);
    if (code === undefined) return undefined;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}
