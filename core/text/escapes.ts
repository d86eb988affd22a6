// Undoes the escapes in which error messages quote what was sent to them, so that quotes and keys are recognized.

/** JSON, JavaScript and Python (`\u041c`, `\u{41c}`, `\xfc`), JSON in JSON, URLs (`%20`) and HTML (`&#1052;`, `&#x41c;`). */
const ESCAPE =
  /\\+(?:u\{?([0-9a-f]{4,6})\}?|U([0-9a-f]{8})|x([0-9a-f]{2}))|%([0-9a-f]{2})|&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
const LAST_CODE_POINT = 0x10ffff;

/** Replaces each escape by its character. Bytes of UTF-8 in a URL become one character each. */
export function decodeEscapes(text: string): string {
  return text.replace(ESCAPE, (whole: string, ...groups: (string | undefined)[]) => {
    const [json, long, byte, url, hex, decimal] = groups;
    const digits = json ?? long ?? byte ?? url ?? hex;
    const codePoint = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
    return codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint) : whole;
  });
}
