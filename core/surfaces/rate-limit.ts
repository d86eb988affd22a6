// Renders the RateLimit-Policy and RateLimit headers: draft-ietf-httpapi-ratelimit-headers, revision 10, sections 3 and 4.
import { RESPONSE_HEADERS } from '../contract/headers.ts';

/** One limit as its caller may see it. */
export interface RateLimitView {
  /** `SCOPE-METRIC-PERIOD`, such as `user-requests-1m`. */
  readonly name: string;
  readonly metric: 'requests' | 'tokens';
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/**
 * Both headers, or none without a limit to show. The draft's default unit is requests. `tokens` is none of its three registered
 * units, but leaving it out would mean requests, which is wrong; a client that does not know the unit can see that it does not.
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
