// Reads a Converse answer (API_runtime_Converse.html, "Response Syntax"): its text, finish reason and usage.
import type { ToolCall } from '../../../core/conversation/conversation.ts';
import {
  type AnswerBlock,
  type FinishReason,
  type ModelResult,
  ProviderFailure,
  type TokenUsage,
} from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { sum } from '../../../core/text/numbers.ts';
import { toCount } from '../post-json.ts';
import { blocksWithThoughts, callsIn, toThought } from '../thoughts.ts';
import { type AnswerReport, createCallIds, readCall } from '../tool-arguments.ts';
import { type CountNames, mapStopReasons, toUsageWithCache } from '../usage-and-stop-reasons.ts';

const FINISHES = mapStopReasons(['guardrail_intervened', 'content_filtered']);

/** Stop reasons for a model's answer that the service cannot read. */
export const UNREADABLE: ReadonlySet<unknown> = new Set(['malformed_model_output', 'malformed_tool_use']);

const COUNTS: CountNames = {
  input: 'inputTokens',
  output: 'outputTokens',
  written: 'cacheWriteInputTokens',
  read: 'cacheReadInputTokens',
  writtenForHour: toHourTokens,
};

/** From `cacheDetails`, a list of `{ ttl: 5m | 1h, inputTokens }`. */
function toHourTokens(usage: unknown): number {
  const details = memberOf(usage, 'cacheDetails');
  if (!Array.isArray(details)) return 0;
  const ofHour = details.filter((detail) => memberOf(detail, 'ttl') === '1h');
  return sum(ofHour.map((detail) => toCount(memberOf(detail, 'inputTokens')) ?? 0));
}

export function toFinish(reason: unknown): FinishReason {
  return FINISHES.get(reason) ?? 'other';
}

/** Undefined unless input and output are counted. */
export function toUsage(usage: unknown): TokenUsage | undefined {
  return toUsageWithCache(usage, COUNTS);
}

/** Throws `ProviderFailure` `malformed_answer` for anything but an answer of Converse. */
export function toModelResult(json: unknown, status: number): ModelResult {
  const content = memberOf(memberOf(memberOf(json, 'output'), 'message'), 'content');
  const stopReason = memberOf(json, 'stopReason');
  const finish = toFinish(stopReason);
  const usage = toUsage(memberOf(json, 'usage'));
  if (UNREADABLE.has(stopReason)) {
    throw new ProviderFailure('malformed_answer', { status, usage, isOfModel: true });
  }
  if (typeof stopReason !== 'string') throw new ProviderFailure('malformed_answer', { status });
  // A guardrail may remove the whole message.
  if (!Array.isArray(content) && finish !== 'filtered') {
    throw new ProviderFailure('malformed_answer', { status });
  }
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const report = { status, usage, toId: createCallIds() };
  const answerBlocks = blocks.flatMap((block) => toAnswerBlock(block, report));
  const toolCalls = callsIn(answerBlocks);
  return {
    // A streamed answer has only whole characters too.
    text: blocks.map(toText).join('').toWellFormed(),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...blocksWithThoughts(answerBlocks),
    finish: toolCalls.length > 0 ? 'toolCalls' : finish,
    usage,
    // The API names no version but the model id of the request.
    modelVersion: undefined,
  };
}

function toAnswerBlock(block: unknown, report: AnswerReport): readonly AnswerBlock[] {
  const use = memberOf(block, 'toolUse');
  if (use !== undefined) return [{ type: 'toolCall', call: toToolCall(use, report) }];
  const text = toText(block).toWellFormed();
  if (text !== '') return [{ type: 'text', text }];
  const reasoning = memberOf(block, 'reasoningContent');
  const { text: thinking, signature } = reasoningTextOf(memberOf(reasoning, 'reasoningText'));
  const redacted = textMemberOf(reasoning, 'redactedContent');
  const thought = toThought('bedrock', { text: thinking, signature, redacted });
  return thought === undefined ? [] : [{ type: 'thought', thought }];
}

function reasoningTextOf(value: unknown) {
  return { text: textMemberOf(value, 'text'), signature: textMemberOf(value, 'signature') };
}

/** Blocks of other kinds are no text. */
function toText(block: unknown): string {
  const text = memberOf(block, 'text');
  return typeof text === 'string' ? text : '';
}

function toToolCall(use: unknown, report: AnswerReport): ToolCall {
  const [id, name, input] = [memberOf(use, 'toolUseId'), memberOf(use, 'name'), memberOf(use, 'input')];
  return readCall({ id, name, input }, report);
}
