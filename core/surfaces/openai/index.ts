// The form of OpenAI's Chat Completions.
import { renderStreamHead } from '../event-stream.ts';
import { leftOutHeader, rateLimitHeaders } from '../headers.ts';
import type { AnswerDetail, Surface } from '../surface.ts';
import { type CompletionHead, renderCompletion } from './answer.ts';
import { openaiStatusOf, renderOpenaiError, requestIdHeaders, toOpenaiName } from './errors.ts';
import { type OpenaiInvocation, parseOpenaiInvocation } from './parse.ts';
import { createCompletionEncoder } from './stream.ts';

export const OPENAI: Surface<OpenaiInvocation> = {
  parse: parseOpenaiInvocation,
  // The body says it.
  acceptsStream: () => false,
  takesArgumentText: true,
  nameOf: (path, { completion }) => toOpenaiName(path, completion.usesMaxTokens),
  renderAnswer(result, detail) {
    const answer = renderCompletion(result, toHead(detail), detail.receipt !== undefined);
    const headers = {
      ...answer.headers,
      ...leftOutHeader(detail.leftOut),
      ...rateLimitHeaders(detail.rateLimit),
    };
    return { ...answer, headers };
  },
  statusOf: openaiStatusOf,
  renderError: (code, { invocation, ...detail }) =>
    renderOpenaiError(code, { ...detail, usesMaxTokens: invocation?.completion.usesMaxTokens }),
  renderStreamHead(mode, detail) {
    const { status, headers } = renderStreamHead(mode, detail);
    return { status, headers: { ...headers, ...requestIdHeaders(detail.executionId) } };
  },
  createEncoder: (detail) =>
    createCompletionEncoder(toHead(detail), detail.invocation.completion.includeUsage),
};

function toHead({ executionId, timeMs, invocation }: AnswerDetail<OpenaiInvocation>): CompletionHead {
  return { executionId, timeMs, model: invocation.completion.model };
}
