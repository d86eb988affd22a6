// The frames of a streamed answer: its head, its pieces as they come, the last ones, and the whole of it at once.
import type { CacheResult } from '../../../core/contract/log-entry.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { AssistantBlock } from '../../../core/conversation/conversation.ts';
import type { AnswerSink } from '../../../core/flow/stream-attempt.ts';
import type { StreamMode } from '../../../core/flow/stream-mode.ts';
import { withToken } from '../../../core/surfaces/headers.ts';
import { surfaceOf } from '../../../core/surfaces/registry.ts';
import type { Answer, StreamEncoder } from '../../../core/surfaces/surface.ts';
import type { ReadyCall } from '../run.ts';
import { canRender, detailOf, type RunView } from '../steps/render-run.ts';
import type { FrameQueue } from './queue.ts';

/** The part of the answer that the caller has, or is being sent. */
interface SentParts {
  /** In UTF-16 units. */
  length: number;
  readonly toolCalls: Set<string>;
}

const nothingSent = (): SentParts => ({ length: 0, toolCalls: new Set() });

/** The pieces of an answer on their way to the caller. */
interface AnswerPieces {
  readonly encoder: StreamEncoder;
  readonly sent: SentParts;
  /** Takes them from the run, with placeholders in the place of masked values. */
  readonly sink: AnswerSink;
  /** Resolves with the first one. */
  readonly begun: Promise<void>;
}

/** Each piece that comes is an event of the request's surface in the queue, whose reader is waited for. */
export function encodePieces(call: ReadyCall, queue: Pick<FrameQueue, 'push'>): AnswerPieces {
  const surface = surfaceOf(call.request.surface);
  const encoder = surface.createEncoder(detailOf(call));
  const sent = nothingSent();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const pushSome = async (frame = ''): Promise<void> => {
    if (frame === '') return;
    begin();
    await queue.push(frame);
  };
  const sink: AnswerSink = {
    text(text) {
      sent.length += text.length;
      return pushSome(encoder.text(text));
    },
    async toolCall(toolCall) {
      // The run ends with an error of its own.
      if (!canRender(toolCall, surface)) return;
      sent.toolCalls.add(toolCall.id);
      await pushSome(encoder.toolCall(toolCall));
    },
    usage: (usage) => encoder.usage?.(usage),
    reasoning: (reasoning) => pushSome(encoder.reasoning?.(reasoning)),
    reasoningText: (text) => pushSome(encoder.reasoningText?.(text)),
    passed: (event) => pushSome(encoder.passed?.(event)),
  };
  return { encoder, sent, sink: call.guards?.restoreSink(sink) ?? sink, begun };
}

/** The head of an answer as much as is known of it when it opens. */
export function renderFirst(mode: StreamMode, call: ReadyCall): ReturnType<typeof renderHead> {
  const view = { surface: surfaceOf(call.request.surface), detail: detailOf(call) };
  return renderHead(mode, view, call.lookup.result);
}

/** Status and headers, sent before the first event. */
function renderHead(
  mode: StreamMode,
  { surface, detail }: Pick<RunView, 'surface' | 'detail'>,
  cache: CacheResult,
): Pick<Answer, 'status' | 'headers'> {
  const { executionId, leftOut, rateLimit, receipt } = detail;
  const maySeeReceipt = receipt !== undefined;
  const head = surface.renderStreamHead(mode, { executionId, cache, maySeeReceipt, leftOut, rateLimit });
  return withToken(head, detail);
}

/** The rest of the answer, and its end. */
export function renderRest(
  { result, detail }: RunView,
  { encoder, sent }: { readonly encoder: StreamEncoder; readonly sent: SentParts },
): string {
  const { output: text = '', toolCalls = [], blocks, reasoningText } = result;
  if (sent.length > 0 && sent.length !== text.length) {
    throw new ServiceError('internal', { reason: 'the text that was sent is not the output' });
  }
  const isUnsent = sent.length === 0 && sent.toolCalls.size === 0;
  const thoughts = isUnsent && reasoningText ? (encoder.reasoningText?.(reasoningText) ?? '') : '';
  if (isUnsent && blocks !== undefined) {
    const rest = blocks.map((block) => encodeBlock(block, encoder)).join('');
    return thoughts + rest + encoder.result(result, detail.receipt);
  }
  const left = toolCalls.filter(({ id }) => !sent.toolCalls.has(id));
  return [
    thoughts,
    sent.length === 0 && text !== '' ? encoder.text(text) : '',
    ...left.map((toolCall) => encoder.toolCall(toolCall)),
    encoder.result(result, detail.receipt),
  ].join('');
}

function encodeBlock(block: AssistantBlock, encoder: StreamEncoder): string {
  if (block.type === 'text') return block.text === '' ? '' : encoder.text(block.text);
  if (block.type === 'toolCall') return encoder.toolCall(block.call);
  return encoder.reasoning?.(block.reasoning) ?? '';
}

/** All events in one body: the answer of a stream that did not open, or that is repeated. */
export function renderWhole(view: RunView): Answer {
  const encoder = view.surface.createEncoder(view.detail);
  const body = renderRest(view, { encoder, sent: nothingSent() });
  return { ...renderHead('whole', view, view.result.cache), body };
}
