// Reads the URLs that settings name. Parsing mends what nobody means; a URL that would be mended is refused, so that what a reader
// sees is what is connected to.

// Scheme and host without anything between them but two slashes: parsing takes one, three, or backslashes for the same.
const BEGIN = /^https?:\/\/[^/]/i;
// Parsing drops tabs, line ends and invisible characters, trims blanks, and reads a backslash as a slash.
const MENDED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\\]/u;

/** The parts of an http or https URL; undefined for every other text, and for port 0, which would be taken for the default port. */
export function parseWebUrl(text: string): URL | undefined {
  if (!BEGIN.test(text) || MENDED.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.port === '0' ? undefined : url;
}
