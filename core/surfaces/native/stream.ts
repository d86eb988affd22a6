// Encodes a run as server-sent events in the service's own form: deltas, calls of tools, and one result or one error, last.

import { FIXED_HEADERS, RESPONSE_HEADERS } from '../../contract/headers.ts';
import type { CacheResult } from '../../contract/log-entry.ts';
import type { ToolCall } from '../../conversation/conversation.ts';
import { type RateLimitView, rateLimitHeaders } from '../rate-limit.ts';
import { EVENT_STREAM } from './accept.ts';
import { publicCacheResult, type Receipt, type RunResult, toSuccessBody } from './answer.ts';
import type { Answer } from './errors.ts';

/** One stream as bytes of one surface. Texts are whole frames of `text/event-stream`. */
export interface StreamEncoder {
  text(text: string): string;
  toolCall(call: ToolCall): string;
  /** Everything that comes after the last piece of the answer. */
  result(result: RunResult, receipt: Receipt | undefined): string;
  /** `error` is the answer that the request would have had. Nothing comes after it. */
  error(error: Answer): string;
}

/** Status and headers of a stream, sent before its first event. What is known at its end alone is in the result. */
export function renderStreamHead(
  mode: 'live' | 'whole',
  detail: {
    readonly executionId: string;
    readonly cache: CacheResult;
    readonly maySeeReceipt: boolean;
    readonly rateLimit?: RateLimitView | undefined;
    /** True where the execution id goes by the name of OpenAI's clients, too. */
    readonly named: boolean;
  },
): Pick<Answer, 'status' | 'headers'> {
  return {
    status: 200,
    headers: {
      'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
      ...FIXED_HEADERS,
      [RESPONSE_HEADERS.executionId]: detail.executionId,
      [RESPONSE_HEADERS.cache]: detail.maySeeReceipt ? detail.cache : publicCacheResult(detail.cache),
      [RESPONSE_HEADERS.stream]: mode,
      ...(detail.named ? { [RESPONSE_HEADERS.requestId]: detail.executionId } : {}),
      ...rateLimitHeaders(detail.rateLimit),
    },
  };
}

/** A comment, which every reader ignores: it shows proxies and callers that the connection is alive. */
export const PING = ': ping\n\n';

/** The service's own form. JSON has no line end outside its escapes, so that each event has one line of data. */
export const NATIVE_STREAM: StreamEncoder = {
  text: (text) => frame('delta', JSON.stringify({ text })),
  toolCall: (call) => frame('toolCall', JSON.stringify(call)),
  result: (result, receipt) =>
    frame(
      'result',
      JSON.stringify({ ...toSuccessBody(result), ...(receipt === undefined ? {} : { receipt }) }),
    ),
  error: ({ body }) => frame('error', body),
};

function frame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
