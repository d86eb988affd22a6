// Puts masked values into what a caller gets of a run: whole, and in pieces.
import type { ToolCall } from '../conversation/conversation.ts';
import type { AnswerSink } from '../flow/stream-attempt.ts';
import type { Invocation, RunResult } from '../surfaces/surface.ts';
import { mapJson } from './map-json.ts';
import { PLACEHOLDER, type Placeholders } from './placeholders.ts';
import { createRestorer, restoreText } from './restore.ts';

/** The masks of a request, and where they come back. */
export interface Restoration {
  readonly placeholders: Placeholders;
  readonly inCalls: boolean;
}

/** Signed thoughts stay as they are. */
export function restoreResult(result: RunResult, restoration: Restoration): RunResult {
  const { placeholders } = restoration;
  if (placeholders.isEmpty()) return result;
  const textOf = (text: string | undefined) => text && restoreText(text, placeholders);
  return {
    ...result,
    output: textOf(result.output),
    reasoningText: textOf(result.reasoningText),
    toolCalls: result.toolCalls?.map((call) => restoreCall(call, restoration)),
    blocks: result.blocks?.map((block) => {
      if (block.type === 'text') return { ...block, text: restoreText(block.text, placeholders) };
      return block.type === 'toolCall' ? { ...block, call: restoreCall(block.call, restoration) } : block;
    }),
  };
}

function restoreCall(call: ToolCall, { placeholders, inCalls }: Restoration): ToolCall {
  if (!inCalls) return call;
  const restore = (text: string) => restoreText(text, placeholders);
  return { ...call, arguments: mapJson(call.arguments, restore) as ToolCall['arguments'] };
}

/** The same sink, which gets values in the place of their placeholders. */
export function restoreSink(sink: AnswerSink, restoration: Restoration): AnswerSink {
  const { placeholders } = restoration;
  if (placeholders.isEmpty()) return sink;
  const texts = createRestorer(placeholders);
  const thoughts = createRestorer(placeholders);
  const send = async (text: string, to: (text: string) => Promise<void> | undefined): Promise<void> => {
    if (text !== '') await to(text);
  };
  const sendText = (text: string) => send(text, (one) => sink.text(one));
  const sendThoughts = (text: string) => send(text, (one) => sink.reasoningText?.(one));
  return {
    ...sink,
    text: async (text) => {
      await sendThoughts(thoughts.end());
      await sendText(texts.push(text));
    },
    reasoningText: (text) => sendThoughts(thoughts.push(text)),
    async reasoning(reasoning) {
      await sendText(texts.end());
      await sink.reasoning?.(reasoning);
    },
    async toolCall(call) {
      await sendThoughts(thoughts.end());
      await sendText(texts.end());
      await sink.toolCall(restoreCall(call, restoration));
    },
    async end() {
      await sendThoughts(thoughts.end());
      await sendText(texts.end());
      await sink.end?.();
    },
  };
}

/** The result as its idempotency key keeps it: with signs in the arguments of calls, where values do not come back there, and in signed thoughts. */
export function keepPlaceholders(result: RunResult, { placeholders, inCalls }: Restoration): RunResult {
  if (placeholders.isEmpty()) return result;
  const keep = (text: string) =>
    text.replace(PLACEHOLDER, (written, name: string) =>
      placeholders.valueOf(name) === undefined ? written : `[KEPT:${name.toUpperCase()}]`,
    );
  const callOf = (call: ToolCall): ToolCall =>
    inCalls ? call : { ...call, arguments: mapJson(call.arguments, keep) as ToolCall['arguments'] };
  return {
    ...result,
    toolCalls: result.toolCalls?.map(callOf),
    blocks: result.blocks?.map((block) => {
      if (block.type === 'toolCall') return { ...block, call: callOf(block.call) };
      if (block.type === 'text' || block.reasoning.text === undefined) return block;
      return { ...block, reasoning: { ...block.reasoning, text: keep(block.reasoning.text) } };
    }),
  };
}

/** The same call, whose answer repeats the caller's own values. */
export function restoreRepeated<Call extends Pick<Invocation, 'repeated'>>(
  call: Call,
  placeholders: Placeholders,
): Call {
  if (call.repeated === undefined || placeholders.isEmpty()) return call;
  return { ...call, repeated: mapJson(call.repeated, (text) => restoreText(text, placeholders)) };
}
