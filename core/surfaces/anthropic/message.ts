// Renders a run as a message (platform.claude.com/docs/en/api/messages): its blocks in order, and its usage with every member.
import {
  type AssistantBlock,
  assistantBlocks,
  type SealedReasoning,
  type ToolCall,
} from '../../conversation/conversation.ts';
import { argumentsObject } from '../../conversation/tool-arguments.ts';
import type { TokenUsage } from '../../ports/providers.ts';
import { cacheHeader, jsonAnswer } from '../headers.ts';
import { sealReasoning } from '../sealed-reasoning.ts';
import type { Answer, RunResult } from '../surface.ts';
import { requestIdHeaders } from './errors.ts';
import { type MessageHead, messageIdOf } from './head.ts';
import { renamed } from './passed-message.ts';

/** A message that is not streamed. */
export function renderMessage(result: RunResult, head: MessageHead, maySeeReceipt: boolean): Answer {
  const headers = { ...requestIdHeaders(head.executionId), ...cacheHeader(result.cache, maySeeReceipt) };
  return jsonAnswer(
    headers,
    result.passed === undefined ? toMessage(result, head) : renamed(result.passed, head),
  );
}

function toMessage(result: RunResult, head: MessageHead): object {
  const { output = '', toolCalls = [], blocks } = result;
  const content = (blocks ?? assistantBlocks(output, toolCalls)).map(contentBlock);
  return { ...messageObject(head, content, usageOf(result.usage)), stop_reason: stopReasonOf(result) };
}

/** A message that has not ended. */
export function messageObject(head: MessageHead, content: readonly object[], usage: MessageUsage) {
  return {
    id: messageIdOf(head),
    type: 'message',
    role: 'assistant',
    model: head.model,
    content,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage,
  };
}

export function textBlock(text: string) {
  return { type: 'text', text, citations: null };
}

export function callBlock({ id, name, arguments: args }: ToolCall) {
  return { type: 'tool_use', id, name, input: argumentsObject(args), caller: { type: 'direct' } };
}

function contentBlock(block: AssistantBlock) {
  if (block.type === 'text') return textBlock(block.text);
  return block.type === 'toolCall' ? callBlock(block.call) : thinkingBlock(block.reasoning);
}

/** A client sends it back as it is, and reads no more than its text. */
export function thinkingBlock(reasoning: SealedReasoning) {
  const sealed = sealReasoning(reasoning);
  if (reasoning.text === undefined) return { type: 'redacted_thinking', data: sealed } as const;
  return { type: 'thinking', thinking: reasoning.text, signature: sealed } as const;
}

/** Why a message ended. Which stop sequence matched no provider but one says, so that it counts as an ordinary end. */
export function stopReasonOf({ executionStopped, toolCalls = [], isCut }: RunResult): string {
  if (executionStopped) return 'refusal';
  if (toolCalls.length > 0) return 'tool_use';
  return isCut === true ? 'max_tokens' : 'end_turn';
}

export type MessageUsage = ReturnType<typeof usageOf>;

/** Every member: readers add them up without looking whether they are there. Tokens of the input are those outside of prompt caches. */
export function usageOf(usage: TokenUsage = { input: 0, output: 0 }) {
  const { input, output, cachedInput = 0, cacheWrite = 0, cacheWrite1h = 0, reasoning = 0 } = usage;
  const written = cacheWrite + cacheWrite1h;
  return {
    input_tokens: Math.max(0, input - cachedInput - written),
    output_tokens: output,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedInput,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: cacheWrite1h },
    output_tokens_details: { thinking_tokens: reasoning },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  };
}
