// Advice to call again, in the headers and words that clients of OpenAI and Anthropic look for.
import { carriesRetryAfter, type ErrorCode } from '../contract/error-codes.ts';
import { RESPONSE_HEADERS } from '../contract/headers.ts';
import { retryAfterSeconds } from './headers.ts';

/** Clients of one kind sleep for longer, days included, and those of the other call again at once: beyond this they are told not to. */
const MAX_WAIT_S = 60;

/** The advice at the end of a text, where the code has one. */
const ADVICE = / Try again [^.]*\.$/;

export interface Retry {
  /** For `Retry-After`, where the code has one. */
  readonly seconds: number | undefined;
  /** True where the wait is too long for a client. */
  readonly lasts: boolean;
  /** Clients call again after 409, 429 and every 5xx unless this header forbids it. */
  readonly headers: Readonly<Record<string, string>>;
}

export function retryOf(code: ErrorCode, status: number, retryAfterMs: number | undefined): Retry {
  const seconds = carriesRetryAfter(code) ? retryAfterSeconds(retryAfterMs) : undefined;
  const lasts = seconds !== undefined && seconds > MAX_WAIT_S;
  const passes = seconds !== undefined && !lasts;
  const headers = passes || status < 409 ? {} : { [RESPONSE_HEADERS.shouldRetry]: 'false' };
  return { seconds, lasts, headers };
}

/** The text with the seconds in the words that clients search for, since most show no headers; as it is without a wait. */
export function withWait(text: string, seconds: number | undefined): string {
  return seconds === undefined ? text : `${text.replace(ADVICE, '')} Please try again in ${seconds} s.`;
}
