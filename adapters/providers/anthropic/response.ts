// Reads a message (platform.claude.com/docs/en/api/messages): its text, finish reason and usage.
import type { ToolCall } from '../../../core/conversation/conversation.ts';
import {
  type AnswerBlock,
  type FinishReason,
  type ModelRequest,
  type ModelResult,
  ProviderFailure,
  type TokenUsage,
} from '../../../core/ports/providers.ts';
import { isDeeper, MAX_BODY_DEPTH } from '../../../core/text/depth.ts';
import { memberOf, textMemberOf, toJsonObject } from '../../../core/text/json.ts';
import { type JsonAnswer, toCount, toModelVersion } from '../post-json.ts';
import { blocksWithThoughts, callsIn, type ThoughtPiece, toThought } from '../thoughts.ts';
import { type AnswerReport, createCallIds, readCall } from '../tool-arguments.ts';
import { type CountNames, mapStopReasons, toUsageWithCache } from '../usage-and-stop-reasons.ts';
import { markUnknown } from './passed.ts';

/** `refusal` is the vendor's filter. */
const FINISHES = mapStopReasons(['refusal']);

const COUNTS: CountNames = {
  input: 'input_tokens',
  output: 'output_tokens',
  written: 'cache_creation_input_tokens',
  read: 'cache_read_input_tokens',
  writtenForHour: (usage) =>
    toCount(memberOf(memberOf(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')) ?? 0,
  reasoning: ['output_tokens_details', 'thinking_tokens'],
};

export function toFinish(reason: unknown): FinishReason {
  return FINISHES.get(reason) ?? 'other';
}

/** Undefined unless input and output are counted. */
export function toUsage(usage: unknown): TokenUsage | undefined {
  return toUsageWithCache(usage, COUNTS);
}

/** Throws `ProviderFailure` `malformed_answer` for anything but a message. */
export function toModelResult(json: unknown, status: number): ModelResult {
  const content = memberOf(json, 'content');
  if (memberOf(json, 'type') !== 'message' || !Array.isArray(content)) {
    throw new ProviderFailure('malformed_answer', { status });
  }
  const usage = toUsage(memberOf(json, 'usage'));
  const finish = toFinish(memberOf(json, 'stop_reason'));
  const report = { status, usage, toId: createCallIds() };
  const blocks = content.flatMap((block) => toAnswerBlock(block, report));
  const toolCalls = callsIn(blocks);
  return {
    // A streamed answer has only whole characters too.
    text: content.map(toText).join('').toWellFormed(),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...blocksWithThoughts(blocks),
    finish: toolCalls.length > 0 ? 'toolCalls' : finish,
    usage,
    modelVersion: toModelVersion(memberOf(json, 'model')),
  };
}

/** The answer to a request, with the message itself where that was passed on. Throws for one that is nested too deep to be written. */
export function readMessage(
  { passed }: Pick<ModelRequest, 'passed'>,
  { json, status }: Pick<JsonAnswer, 'json' | 'status'>,
): ModelResult {
  const result = toModelResult(json, status);
  const message = toJsonObject(json);
  if (passed === undefined || message === undefined) return result;
  if (isDeeper(message, MAX_BODY_DEPTH)) {
    throw new ProviderFailure('malformed_answer', { status, usage: result.usage, isOfModel: true });
  }
  return { ...result, usage: markUnknown(result.usage, message['usage']), passed: message };
}

function toAnswerBlock(block: unknown, report: AnswerReport): readonly AnswerBlock[] {
  const type = memberOf(block, 'type');
  if (type === 'tool_use') return [{ type: 'toolCall', call: toToolCall(block, report) }];
  const text = toText(block).toWellFormed();
  if (text !== '') return [{ type: 'text', text }];
  const isThought = type === 'thinking' || type === 'redacted_thinking';
  const thought = isThought ? toThought('anthropic', thoughtPieceOf(block)) : undefined;
  return thought === undefined ? [] : [{ type: 'thought', thought }];
}

/** The members of a block of thinking, or of a delta of one. */
export function thoughtPieceOf(block: unknown): ThoughtPiece {
  return {
    text: textMemberOf(block, 'thinking'),
    signature: textMemberOf(block, 'signature'),
    redacted: textMemberOf(block, 'data'),
  };
}

/** Blocks of other types are no text. */
function toText(block: unknown): string {
  const text = memberOf(block, 'text');
  return memberOf(block, 'type') === 'text' && typeof text === 'string' ? text : '';
}

/** Throws for a call that `max_tokens` cut: its input is missing. */
function toToolCall(block: unknown, report: AnswerReport): ToolCall {
  const [id, name, input] = [memberOf(block, 'id'), memberOf(block, 'name'), memberOf(block, 'input')];
  return readCall({ id, name, input }, report);
}
