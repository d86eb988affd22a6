// The form of Anthropic's Messages.
import { countTokens } from '../../conversation/count-tokens.ts';
import { renderStreamHead } from '../event-stream.ts';
import { leftOutHeader, rateLimitHeaders } from '../headers.ts';
import type { AnswerDetail, Surface } from '../surface.ts';
import { anthropicStatusOf, renderAnthropicError, requestIdHeaders, toAnthropicName } from './errors.ts';
import type { MessageHead } from './head.ts';
import { renderMessage } from './message.ts';
import { type AnthropicInvocation, parseAnthropicInvocation } from './parse.ts';
import { parsePassedInvocation } from './parse-passed.ts';
import { createPassedEncoder } from './passed-message.ts';
import { createMessageEncoder } from './stream.ts';

export const ANTHROPIC: Surface<AnthropicInvocation> = {
  parse: parseAnthropicInvocation,
  parsePassed: parsePassedInvocation,
  // The body says it.
  acceptsStream: () => false,
  takesArgumentText: false,
  nameOf: toAnthropicName,
  renderAnswer(result, detail) {
    const answer = renderMessage(result, toHead(detail), detail.receipt !== undefined);
    return {
      ...answer,
      headers: { ...answer.headers, ...leftOutHeader(detail.leftOut), ...rateLimitHeaders(detail.rateLimit) },
    };
  },
  statusOf: anthropicStatusOf,
  renderError: (code, { invocation: _invocation, ...detail }) => renderAnthropicError(code, detail),
  renderStreamHead(mode, detail) {
    const { status, headers } = renderStreamHead(mode, detail);
    return { status, headers: { ...headers, ...requestIdHeaders(detail.executionId) } };
  },
  createEncoder: (detail) =>
    detail.invocation.conversation.passed !== undefined && detail.isCached !== true
      ? createPassedEncoder(toHead(detail))
      : createMessageEncoder(toHead(detail), () =>
          detail.isCached === true ? 0 : countTokens(detail.invocation.conversation),
        ),
};

function toHead({ executionId, invocation }: AnswerDetail<AnthropicInvocation>): MessageHead {
  return { executionId, model: invocation.model };
}
