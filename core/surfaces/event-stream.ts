// Server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html) as every surface sends them.
import { FIXED_HEADERS, RESPONSE_HEADERS } from '../contract/headers.ts';
import { cacheHeader, leftOutHeader, rateLimitHeaders } from './headers.ts';
import type { Answer, StreamDetail } from './surface.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Line ends to some readers, such as Python's `str.splitlines`, and to others not; JSON leaves them as they are. */
const ODD_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** JSON as the data of an event: on one line for every reader, and the same JSON. */
export function toEventData(json: string): string {
  return json.replace(ODD_LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A comment, which every reader ignores: it shows proxies and callers that the connection is alive. */
export const PING = ': ping\n\n';

/** Status and headers of a stream. Facts that are known only at its end are in its result. */
export function renderStreamHead(
  mode: 'live' | 'whole',
  { executionId, cache, maySeeReceipt, leftOut, rateLimit }: StreamDetail,
): Pick<Answer, 'status' | 'headers'> {
  return {
    status: 200,
    headers: {
      'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
      ...FIXED_HEADERS,
      [RESPONSE_HEADERS.executionId]: executionId,
      ...cacheHeader(cache, maySeeReceipt),
      [RESPONSE_HEADERS.stream]: mode,
      ...leftOutHeader(leftOut),
      ...rateLimitHeaders(rateLimit),
    },
  };
}
