// The form of OpenAI's Responses. Nothing is stored: each request holds the whole conversation.
import { renderStreamHead } from '../event-stream.ts';
import { leftOutHeader, rateLimitHeaders } from '../headers.ts';
import { openaiStatusOf, requestIdHeaders } from '../openai/errors.ts';
import type { AnswerDetail, Surface } from '../surface.ts';
import { renderResponsesError, toResponsesName } from './errors.ts';
import { parseResponsesInvocation, type ResponsesInvocation } from './parse.ts';
import { type ResponseHead, renderResponse } from './response.ts';
import { createResponseEncoder } from './stream.ts';

export const RESPONSES: Surface<ResponsesInvocation> = {
  parse: parseResponsesInvocation,
  // The body says it.
  acceptsStream: () => false,
  takesArgumentText: true,
  nameOf: toResponsesName,
  renderAnswer(result, detail) {
    const answer = renderResponse(result, toHead(detail), detail.receipt !== undefined);
    return {
      ...answer,
      headers: { ...answer.headers, ...leftOutHeader(detail.leftOut), ...rateLimitHeaders(detail.rateLimit) },
    };
  },
  statusOf: openaiStatusOf,
  renderError: (code, { invocation: _invocation, ...detail }) => renderResponsesError(code, detail),
  renderStreamHead(mode, detail) {
    const { status, headers } = renderStreamHead(mode, detail);
    return { status, headers: { ...headers, ...requestIdHeaders(detail.executionId) } };
  },
  createEncoder: (detail) => createResponseEncoder(toHead(detail)),
};

function toHead({ executionId, timeMs, invocation }: AnswerDetail<ResponsesInvocation>): ResponseHead {
  return { executionId, timeMs, repeated: invocation.repeated, sealed: invocation.sealed };
}
