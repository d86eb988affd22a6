// Reads a chat completion (platform.openai.com/docs/api-reference/chat/object): its text, finish reason and usage.
import type { Thought, ToolCall } from '../../../core/conversation/conversation.ts';
import {
  type AnswerBlock,
  type FinishReason,
  type ModelResult,
  ProviderFailure,
  type TokenUsage,
} from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { toCount, toModelVersion } from '../post-json.ts';
import { toThought } from '../thoughts.ts';
import { type AnswerReport, createCallIds, readCall } from '../tool-arguments.ts';

/** Compatible servers have other reasons too, or none: such an answer is served like any other, and never cached. */
const FINISHES: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'filtered'],
]);

/** The result for a prompt that a content filter rejected. Its usage is unknown: it may have been charged. */
export const FILTERED: ModelResult = {
  text: '',
  finish: 'filtered',
  usage: undefined,
  modelVersion: undefined,
};

/** Throws `ProviderFailure` `malformed_answer` for anything but a chat completion. */
export function toModelResult(json: unknown, status: number): ModelResult {
  const choices = memberOf(json, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = memberOf(choice, 'message');
  const text = toText(memberOf(message, 'content'), memberOf(message, 'refusal'));
  if (typeof message !== 'object' || message === null || text === undefined) {
    throw new ProviderFailure('malformed_answer', { status });
  }
  const usage = toUsage(memberOf(json, 'usage'));
  const toolCalls = toToolCalls(memberOf(message, 'tool_calls'), {
    status,
    usage,
    toId: createCallIds(),
  });
  const thought = toThought('openai', { text: reasoningTextOf(message) });
  const reason = hasRejected(message) ? 'content_filter' : memberOf(choice, 'finish_reason');
  return {
    // A streamed answer has only whole characters too.
    text: text.toWellFormed(),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(thought === undefined ? {} : { blocks: blocksOf(thought, text, toolCalls) }),
    // Some servers send `stop` after tool calls.
    finish: toolCalls.length > 0 ? 'toolCalls' : toFinish(reason),
    usage,
    modelVersion: toModelVersion(memberOf(json, 'model')),
  };
}

function blocksOf(thought: Thought, text: string, calls: readonly ToolCall[]): readonly AnswerBlock[] {
  return [
    { type: 'thought', thought },
    ...(text === '' ? [] : [{ type: 'text', text: text.toWellFormed() } as const]),
    ...calls.map((call) => ({ type: 'toolCall', call }) as const),
  ];
}

/**
 * Thoughts of the model, which are no part of the answer, of a message or a delta. OpenAI's own API has no such member; DeepSeek, vLLM
 * and others say `reasoning_content`, OpenRouter and Ollama `reasoning`, and some both.
 */
export function reasoningTextOf(message: unknown): string {
  return textMemberOf(message, 'reasoning_content') || textMemberOf(message, 'reasoning') || '';
}

/** True where the model refused to fill a schema, which it says in a member of its own before it ends with `stop`. */
function hasRejected(message: object): boolean {
  const refusal = memberOf(message, 'refusal');
  return typeof refusal === 'string' && refusal !== '' && !memberOf(message, 'content');
}

export function toFinish(reason: unknown): FinishReason {
  return FINISHES.get(reason) ?? 'other';
}

/** Throws for a call without id, name or arguments. */
function toToolCalls(calls: unknown, report: AnswerReport): readonly ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call: unknown) => {
    const called = memberOf(call, 'function');
    const [name, input] = [memberOf(called, 'name'), memberOf(called, 'arguments')];
    return readCall({ id: memberOf(call, 'id'), name, input }, report);
  });
}

/** The refusal where there is no content, as after a filter or a spent limit. Undefined for content of another type. */
export function toText(content: unknown, refusal: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(toPart).join('');
  if (content !== null && content !== undefined) return undefined;
  return typeof refusal === 'string' ? refusal : '';
}

/** Some servers answer with parts, as in requests (api-reference/chat/create, "content"). Other kinds, such as reasoning, are left out. */
function toPart(part: unknown): string {
  const type = memberOf(part, 'type');
  return (type === 'text' || type === 'refusal' ? textMemberOf(part, type) : undefined) ?? '';
}

/** Undefined unless both counts are there: one of them would be charged as the whole usage. */
export function toUsage(usage: unknown): TokenUsage | undefined {
  const input = toCount(memberOf(usage, 'prompt_tokens'));
  const completion = toCount(memberOf(usage, 'completion_tokens'));
  if (input === undefined || completion === undefined) return undefined;
  // Some count reasoning only in the total (xAI): all that is not input is output.
  const total = toCount(memberOf(usage, 'total_tokens')) ?? 0;
  const output = Math.max(completion, total - input);
  const cachedInput = toCount(memberOf(memberOf(usage, 'prompt_tokens_details'), 'cached_tokens'));
  const cacheWrite = toCount(memberOf(memberOf(usage, 'prompt_tokens_details'), 'cache_write_tokens'));
  const reasoning = toCount(memberOf(memberOf(usage, 'completion_tokens_details'), 'reasoning_tokens'));
  return {
    input,
    output,
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
