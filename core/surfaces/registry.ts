// The two forms in which the service is spoken to: each parses requests, renders answers and errors, and encodes streams.

import { type ErrorCode, statusOf } from '../contract/error-codes.ts';
import type { Route } from '../contract/routes.ts';
import { type Receipt, type RunResult, renderAnswer } from './native/answer.ts';
import { type Answer, renderError } from './native/errors.ts';
import {
  type Invocation,
  parseInvocation,
  parseOpenaiInvocation,
  type UnparsedInvocation,
} from './native/parse.ts';
import { NATIVE_STREAM, type StreamEncoder } from './native/stream.ts';
import { createCompletionEncoder, renderCompletion } from './openai/answer.ts';
import { openaiStatusOf, renderOpenaiError } from './openai/errors.ts';
import type { RateLimitView } from './rate-limit.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/** Whose request it is. */
export interface Addressed {
  readonly organization: string;
  readonly neuron: string;
  readonly maxInputBytes: number;
}

/** What an answer is rendered with. */
export interface AnswerDetail {
  readonly executionId: string;
  /** When the request came, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly invocation: Invocation;
  readonly receipt?: Receipt | undefined;
  readonly rateLimit?: RateLimitView | undefined;
}

/** What an error is rendered with; `param` and `text` are those of the thrown error. */
export interface ErrorDetail {
  readonly retryAfterMs?: number | undefined;
  readonly executionId?: string | undefined;
  readonly text?: string | undefined;
  readonly param?: string | undefined;
  readonly rateLimit?: RateLimitView | undefined;
  /** Absent where the request was refused before it was parsed. */
  readonly invocation?: Invocation | undefined;
}

/** One form. */
export interface Surface {
  /** Throws `ServiceError` 400 or 422. */
  parse(unparsed: UnparsedInvocation, addressed: Addressed): Invocation;
  renderAnswer(result: RunResult, detail: AnswerDetail): Answer;
  /** The status of `renderError`. */
  statusOf(code: ErrorCode): number;
  renderError(code: ErrorCode, detail: ErrorDetail): Answer;
  /** A new one for each answer. */
  createEncoder(detail: AnswerDetail): StreamEncoder;
}

const native: Surface = {
  parse: (unparsed, { maxInputBytes }) => parseInvocation(unparsed, maxInputBytes),
  renderAnswer: (result, { invocation: { rawOutput }, ...detail }) =>
    renderAnswer(result, { ...detail, rawOutput }),
  statusOf,
  renderError,
  createEncoder: () => NATIVE_STREAM,
};

const openai: Surface = {
  parse: parseOpenaiInvocation,
  renderAnswer(result, detail) {
    const answer = renderCompletion(result, headOf(detail), detail.receipt !== undefined);
    return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(detail.rateLimit) } };
  },
  statusOf: openaiStatusOf,
  renderError(code, detail) {
    const { usesMaxTokens } = detail.invocation?.completion ?? {};
    const { headers, ...answer } = renderOpenaiError(code, {
      ...detail,
      usesMaxTokens,
      metric: detail.rateLimit?.metric,
    });
    return {
      ...answer,
      headers: { ...headers, ...(answer.status === 429 ? rateLimitHeaders(detail.rateLimit) : {}) },
    };
  },
  createEncoder: (detail) =>
    createCompletionEncoder(headOf(detail), detail.invocation.completion?.includeUsage === true),
};

/** By the name that routes have for them. */
export const SURFACES: Readonly<Record<Route['surface'], Surface>> = { native, openai };

function headOf({ executionId, timeMs, invocation }: AnswerDetail) {
  return { executionId, timeMs, model: invocation.completion?.model ?? '' };
}
