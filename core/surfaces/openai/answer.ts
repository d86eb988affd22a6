// Renders a run as a chat completion (platform.openai.com/docs/api-reference/chat/object).
import type { ToolCall } from '../../conversation/conversation.ts';
import { argumentsText } from '../../conversation/tool-arguments.ts';
import { cacheHeader, jsonAnswer } from '../headers.ts';
import type { Answer, RunResult } from '../surface.ts';
import { requestIdHeaders } from './errors.ts';

/** Members that all objects of one answer share. */
export interface CompletionHead {
  readonly executionId: string;
  /** As the caller named it. */
  readonly model: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/** Renders an answer that is not streamed. */
export function renderCompletion(result: RunResult, head: CompletionHead, maySeeReceipt: boolean): Answer {
  const { output, toolCalls = [], reasoningText } = result;
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
          annotations: [],
          // As DeepSeek, vLLM and LiteLLM name it; OpenAI's own interface has no place for it.
          ...(reasoningText === undefined ? {} : { reasoning_content: reasoningText }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toWireCall) }),
        },
        logprobs: null,
        finish_reason: finishOf(result),
      },
    ],
    usage: usageOf(result),
  };
  return jsonAnswer(
    { ...requestIdHeaders(head.executionId), ...cacheHeader(result.cache, maySeeReceipt) },
    body,
  );
}

/** The members that begin every object of an answer. */
export function identify({ executionId, model, timeMs }: CompletionHead, object: string) {
  // Characters that no client or log has to escape; as unique as the execution.
  const id = `chatcmpl-${executionId.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
  return { id, object, created: Math.floor(timeMs / 1000), model };
}

export function toWireCall({ id, name, arguments: args }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: argumentsText(args) } };
}

/** Why an answer ended. */
export function finishOf({ executionStopped, toolCalls = [], isCut }: RunResult): string {
  if (executionStopped) return 'content_filter';
  if (toolCalls.length > 0) return 'tool_calls';
  return isCut === true ? 'length' : 'stop';
}

/** With both details, which are 0 where a provider reports none: clients read them without a check. */
export function usageOf({ usage = { input: 0, output: 0 } }: RunResult) {
  const { input, output, cachedInput = 0, reasoning = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
