// Puts masked values into what a caller gets of a run: whole, and in pieces.
import type { ToolCall } from '../conversation/conversation.ts';
import type { AnswerSink } from '../flow/stream-attempt.ts';
import type { Invocation, RunResult } from '../surfaces/surface.ts';
import type { RestorePlace } from './find.ts';
import { mapJson } from './map-json.ts';
import { PLACEHOLDER, type Placeholders } from './placeholders.ts';
import { createRestorer, restoreText } from './restore.ts';

/** Signed thoughts stay as they are. */
export function restoreResult(result: RunResult, placeholders: Placeholders): RunResult {
  if (placeholders.isEmpty()) return result;
  const output = { placeholders, where: 'output' } as const;
  const textOf = (text: string | undefined) => text && restoreText(text, output);
  return {
    ...result,
    output: textOf(result.output),
    reasoningText: textOf(result.reasoningText),
    toolCalls: result.toolCalls?.map((call) => restoreCall(call, placeholders)),
    blocks: result.blocks?.map((block) => {
      if (block.type === 'text') return { ...block, text: restoreText(block.text, output) };
      return block.type === 'toolCall' ? { ...block, call: restoreCall(block.call, placeholders) } : block;
    }),
  };
}

function restoreCall(call: ToolCall, placeholders: Placeholders): ToolCall {
  const restore = (text: string) => restoreText(text, { placeholders, where: 'toolCalls' });
  return { ...call, arguments: mapJson(call.arguments, restore) as ToolCall['arguments'] };
}

/** The same sink, which gets values in the place of their placeholders. */
export function restoreSink(sink: AnswerSink, placeholders: Placeholders): AnswerSink {
  if (placeholders.isEmpty()) return sink;
  const texts = createRestorer({ placeholders, where: 'output' });
  const thoughts = createRestorer({ placeholders, where: 'output' });
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
      await sink.toolCall(restoreCall(call, placeholders));
    },
    async end() {
      await sendThoughts(thoughts.end());
      await sendText(texts.end());
      await sink.end?.();
    },
  };
}

/** The result as its idempotency key keeps it: with signs where values do not come back, as in signed thoughts. */
export function keepPlaceholders(result: RunResult, placeholders: Placeholders): RunResult {
  if (placeholders.isEmpty()) return result;
  const keep = (text: string, where?: RestorePlace) =>
    text.replace(PLACEHOLDER, (written, name: string) => {
      const comesBack = where !== undefined && placeholders.valueOf(name, where) !== undefined;
      return comesBack || placeholders.valueOf(name) === undefined ? written : `[KEPT:${name.toUpperCase()}]`;
    });
  const textOf = (text: string | undefined) => text && keep(text, 'output');
  const keepInCall = (text: string) => keep(text, 'toolCalls');
  const callOf = (call: ToolCall): ToolCall => ({
    ...call,
    arguments: mapJson(call.arguments, keepInCall) as ToolCall['arguments'],
  });
  return {
    ...result,
    output: textOf(result.output),
    reasoningText: textOf(result.reasoningText),
    toolCalls: result.toolCalls?.map(callOf),
    blocks: result.blocks?.map((block) => {
      if (block.type === 'toolCall') return { ...block, call: callOf(block.call) };
      if (block.type === 'text') return { ...block, text: keep(block.text, 'output') };
      if (block.reasoning.text === undefined) return block;
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
  return { ...call, repeated: mapJson(call.repeated, (text) => restoreText(text, { placeholders })) };
}
