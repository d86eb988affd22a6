// Renders the answer of a run that succeeded or was stopped.

import { FIXED_HEADERS, RESPONSE_HEADERS } from '../../contract/headers.ts';
import { argumentsObject } from '../../conversation/tool-arguments.ts';
import type { JsonObject } from '../../text/json.ts';
import { cacheHeader, isHit, leftOutHeader, rateLimitHeaders, receiptHeaders } from '../headers.ts';
import type { Answer, AnswerDetail, RunResult } from '../surface.ts';

/** A call of one of the caller's tools. A run whose call has no object ended with `malformed_tool_call`. */
interface NativeToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The JSON body of a success; `output` is absent when a run was stopped without one. */
export interface SuccessBody {
  readonly output?: string;
  /** Calls of the caller's tools; absent for none. */
  readonly toolCalls?: readonly NativeToolCall[];
  readonly fromCache: boolean;
  readonly executionStopped: boolean;
}

export function renderAnswer(
  result: RunResult,
  detail: Pick<AnswerDetail, 'executionId' | 'leftOut' | 'receipt' | 'rateLimit'> & {
    readonly rawOutput: boolean;
  },
): Answer {
  const contentType = detail.rawOutput ? 'text/plain; charset=utf-8' : 'application/json';
  return {
    status: 200,
    headers: {
      'Content-Type': contentType,
      ...FIXED_HEADERS,
      [RESPONSE_HEADERS.executionId]: detail.executionId,
      ...cacheHeader(result.cache, detail.receipt !== undefined),
      [RESPONSE_HEADERS.executionStopped]: String(result.executionStopped),
      ...receiptHeaders(detail.receipt),
      ...leftOutHeader(detail.leftOut),
      ...rateLimitHeaders(detail.rateLimit),
    },
    body: detail.rawOutput ? (result.output ?? '') : JSON.stringify(toSuccessBody(result)),
  };
}

export function toSuccessBody(result: RunResult): SuccessBody {
  return {
    ...(result.output === undefined ? {} : { output: result.output }),
    ...(result.toolCalls === undefined || result.toolCalls.length === 0
      ? {}
      : {
          toolCalls: result.toolCalls.map(({ id, name, arguments: args }) => ({
            id,
            name,
            arguments: argumentsObject(args),
          })),
        }),
    fromCache: isHit(result.cache),
    executionStopped: result.executionStopped,
  };
}
