// Headers that answers of several surfaces carry, and an answer in JSON.
import { FIXED_HEADERS, RESPONSE_HEADERS } from '../contract/headers.ts';
import type { CacheResult } from '../contract/log-entry.ts';
import type { Answer, AnswerDetail, ErrorDetail, RateLimitView, Receipt } from './surface.ts';

/**
 * RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers, revision 10, sections 3 and 4), or neither without a limit to
 * show. The draft's default unit is requests. `tokens` is none of its three registered units, but leaving it out would mean
 * requests, which is wrong; a client that does not know the unit can see that it does not.
 */
export function rateLimitHeaders(view: RateLimitView | undefined): Record<string, string> {
  if (view === undefined) return {};
  const { name, metric, limit, windowMs, remaining, resetMs } = view;
  const unit = metric === 'tokens' ? ';qu="tokens"' : '';
  return {
    [RESPONSE_HEADERS.rateLimitPolicy]: `"${name}";q=${limit};w=${windowMs / 1000}${unit}`,
    [RESPONSE_HEADERS.rateLimit]: `"${name}";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1000))}`,
  };
}

/** An answer of status 200 in JSON. */
export function jsonAnswer(headers: Readonly<Record<string, string>>, body: object): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', ...FIXED_HEADERS, ...headers },
    body: JSON.stringify(body),
  };
}

/** Seconds for `Retry-After` (RFC 9110, section 10.2.3): whole, rounded up, at least 1. */
export function retryAfterSeconds(retryAfterMs: number | undefined): number {
  return Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000));
}

/** The headers that every error has, whatever its form. `retryAfter` in seconds, where the code has one. */
export function errorHeaders(
  status: number,
  retryAfter: number | undefined,
  { executionId, rateLimit }: Pick<ErrorDetail, 'executionId' | 'rateLimit'>,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    ...FIXED_HEADERS,
    ...(executionId === undefined ? {} : { [RESPONSE_HEADERS.executionId]: executionId }),
    ...(retryAfter === undefined ? {} : { [RESPONSE_HEADERS.retryAfter]: String(retryAfter) }),
    ...(status === 429 ? rateLimitHeaders(rateLimit) : {}),
    // RFC 9110, section 15.5.2: a 401 has one.
    ...(status === 401 ? { [RESPONSE_HEADERS.wwwAuthenticate]: 'Bearer' } : {}),
  };
}

/** The same answer with its X-Feedback-Token, whatever its surface. */
export function withToken<Head extends Pick<Answer, 'headers'>>(
  head: Head,
  { feedbackToken }: Pick<AnswerDetail, 'feedbackToken'>,
): Head {
  if (feedbackToken === undefined) return head;
  return { ...head, headers: { ...head.headers, [RESPONSE_HEADERS.feedbackToken]: feedbackToken } };
}

/** X-Neuron-Left-Out: names of members, separated by commas. Each is of the form of `toLeftOutName`. */
export function leftOutHeader(names: readonly string[] = []): Record<string, string> {
  return names.length === 0 ? {} : { [RESPONSE_HEADERS.leftOut]: names.join(', ') };
}

/** A member's name and places in lists, which are empty where all are meant. Longer text is no name that a library gives, and may be a key in the wrong place. */
const MEMBER = String.raw`[A-Za-z_]\w{0,31}(?:\[\d{0,6}\])*`;
const NAME = new RegExp(`^(?=.{1,64}$)${MEMBER}(?:\\.${MEMBER})*$`);

/** The path of a member as header and log may hold it. `unnamed` for a text that is no name, so that neither shows what a caller wrote by mistake. */
export function toLeftOutName(name: string): string {
  return NAME.test(name) ? name : 'unnamed';
}

/** X-Cache: which cache answered is for those who see the receipt, `hit` for everyone else. */
export function cacheHeader(cache: CacheResult, maySeeReceipt: boolean): Record<string, string> {
  return { [RESPONSE_HEADERS.cache]: isHit(cache) && !maySeeReceipt ? 'hit' : cache };
}

/** True for an answer from the cache. */
export function isHit(cache: CacheResult): boolean {
  return cache === 'exact' || cache === 'semantic';
}

/** The figures of a run, for those who see them. */
export function receiptHeaders(receipt: Receipt | undefined): Record<string, string> {
  if (receipt === undefined) return {};
  return {
    ...(receipt.costMicrodollars === undefined
      ? {}
      : { [RESPONSE_HEADERS.cost]: String(receipt.costMicrodollars) }),
    [RESPONSE_HEADERS.tokensInput]: String(receipt.tokensInput),
    [RESPONSE_HEADERS.tokensOutput]: String(receipt.tokensOutput),
  };
}
