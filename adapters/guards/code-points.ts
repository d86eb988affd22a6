// Places that a service counts in code points, as places in a JavaScript text.

type Span = { readonly start: number; readonly end: number };

/** The places of one text, which is read at the first and once, however many there are; undefined for what is no place of it. */
export function spansOf(text: string): (start: number, end: number) => Span | undefined {
  let known: ReturnType<typeof createUnitAt> | undefined;
  const unitAt = (codePoint: number): number | undefined => {
    known ??= createUnitAt(text);
    return known(codePoint);
  };
  return (start, end) => {
    const isPlace = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end > start;
    const from = isPlace ? unitAt(start) : undefined;
    const to = isPlace ? unitAt(end) : undefined;
    return from === undefined || to === undefined ? undefined : { start: from, end: to };
  };
}

/** Where the code point with a number begins, in UTF-16 code units; the end of the text after the last. */
function createUnitAt(text: string): (codePoint: number) => number | undefined {
  if (!HAS_PAIR.test(text)) return (at) => (at <= text.length ? at : undefined);
  const units = [0];
  let at = 0;
  for (const character of text) {
    at += character.length;
    units.push(at);
  }
  return (codePoint) => units[codePoint];
}

/** A character beyond the basic plane: without one both counts are the same. */
const HAS_PAIR = /[\ud800-\udbff][\udc00-\udfff]/;
