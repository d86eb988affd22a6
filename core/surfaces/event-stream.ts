// Server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html) as every surface sends them.
import { FIXED_HEADERS, RESPONSE_HEADERS } from '../contract/headers.ts';
import { cacheHeader, rateLimitHeaders } from './headers.ts';
import type { Answer, StreamDetail } from './surface.ts';

/** The media type. */
export const EVENT_STREAM = 'text/event-stream';

/** A comment, which every reader ignores: it shows proxies and callers that the connection is alive. */
export const PING = ': ping\n\n';

/** Status and headers of a stream. Facts that are known only at its end are in its result. */
export function renderStreamHead(
  mode: 'live' | 'whole',
  { executionId, cache, maySeeReceipt, rateLimit }: StreamDetail,
): Pick<Answer, 'status' | 'headers'> {
  return {
    status: 200,
    headers: {
      'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
      ...FIXED_HEADERS,
      [RESPONSE_HEADERS.executionId]: executionId,
      ...cacheHeader(cache, maySeeReceipt),
      [RESPONSE_HEADERS.stream]: mode,
      ...rateLimitHeaders(rateLimit),
    },
  };
}
