// Reads the URLs in settings. Parsing repairs malformed URLs; one that it would repair is rejected, so that readers see the URL that
// is connected to.

// Scheme, two slashes, host: parsing also takes one slash, three, or backslashes.
const BEGIN = /^https?:\/\/[^/]/i;
// Parsing drops tabs, line ends and invisible characters, trims blanks, and reads a backslash as a slash.
const REPAIRED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\\]/u;

/** The parts of an http or https URL; undefined for every other text, and for port 0, which would be taken for the default port. */
export function parseWebUrl(text: string): URL | undefined {
  if (!BEGIN.test(text) || REPAIRED.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.port === '0' ? undefined : url;
}
