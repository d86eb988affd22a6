// Renders a run as a chat completion (platform.openai.com/docs/api-reference/chat/object) and as its chunks (…/chat/streaming).

import { FIXED_HEADERS, RESPONSE_HEADERS } from '../../contract/headers.ts';
import type { CacheResult } from '../../contract/log-entry.ts';
import type { ToolCall } from '../../conversation/conversation.ts';
import { publicCacheResult, type RunResult } from '../native/answer.ts';
import type { Answer } from '../native/errors.ts';
import type { StreamEncoder } from '../native/stream.ts';
import { requestIdHeaders } from './errors.ts';

/** What all objects of one answer share. */
export interface CompletionHead {
  readonly executionId: string;
  /** As the caller named it. */
  readonly model: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/** Of an answer that is not streamed. */
export function renderCompletion(result: RunResult, head: CompletionHead, maySeeReceipt: boolean): Answer {
  const { output, toolCalls = [] } = result;
  const body = {
    ...identify(head, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          // Null beside calls alone; clients take the empty text for an answer.
          content: output === undefined || (output === '' && toolCalls.length > 0) ? null : output,
          refusal: null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toWireCall) }),
        },
        logprobs: null,
        finish_reason: finishOf(result),
      },
    ],
    usage: usageOf(result),
  };
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json',
      ...FIXED_HEADERS,
      ...requestIdHeaders(head.executionId),
      [RESPONSE_HEADERS.cache]: cacheHeader(result.cache, maySeeReceipt),
    },
    body: JSON.stringify(body),
  };
}

/** The chunks of one answer: role once, then texts and calls, the finish, usage where it was asked for, and the end. */
export function createCompletionEncoder(head: CompletionHead, includeUsage: boolean): StreamEncoder {
  let hasRole = false;
  let calls = 0;
  const chunk = (choices: readonly object[], usage: object | null = null): string =>
    frame({ ...identify(head, 'chat.completion.chunk'), choices, ...(includeUsage ? { usage } : {}) });
  const delta = (options: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: options, logprobs: null, finish_reason: finish }]);
  const role = (): string => {
    if (hasRole) return '';
    hasRole = true;
    return delta({ role: 'assistant', content: '', refusal: null });
  };
  return {
    text: (text) => role() + delta({ content: text }),
    toolCall(call) {
      const index = calls;
      calls += 1;
      return role() + delta({ tool_calls: [{ index, ...toWireCall(call) }] });
    },
    result: (result) =>
      role() + delta({}, finishOf(result)) + (includeUsage ? chunk([], usageOf(result)) : '') + DONE,
    // The only sign that every client hears: without it some take what came for the whole answer.
    error: ({ body }) => `data: ${body}\n\n${DONE}`,
  };
}

const DONE = 'data: [DONE]\n\n';

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function identify({ executionId, model, timeMs }: CompletionHead, object: string) {
  // Of letters that no client or log has to escape; as unique as the execution.
  const id = `chatcmpl-${executionId.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  return { id, object, created: Math.floor(timeMs / 1000), model };
}

function toWireCall({ id, name, arguments: options }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(options) } };
}

function finishOf({ executionStopped, toolCalls = [], isCut }: RunResult): string {
  if (executionStopped) return 'content_filter';
  if (toolCalls.length > 0) return 'tool_calls';
  return isCut === true ? 'length' : 'stop';
}

function usageOf({ usage: { input, output } = { input: 0, output: 0 } }: RunResult) {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function cacheHeader(cache: CacheResult, maySeeReceipt: boolean): string {
  return maySeeReceipt ? cache : publicCacheResult(cache);
}
