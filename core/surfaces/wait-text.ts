// Says in the text of an error how long to wait: most clients show no headers.

/** The advice at the end of a text, where the code has one. */
const ADVICE = / Try again [^.]*\.$/;

/** The text with the seconds in the words that clients search for; as it is without a wait. */
export function withWait(text: string, seconds: number | undefined): string {
  return seconds === undefined ? text : `${text.replace(ADVICE, '')} Please try again in ${seconds} s.`;
}
