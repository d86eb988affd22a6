// Renders the head of a streamed answer, its last frames, and the whole of it at once.
import type { CacheResult } from '../../../core/contract/log-entry.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { AssistantBlock } from '../../../core/conversation/conversation.ts';
import type { StreamMode } from '../../../core/flow/stream-mode.ts';
import { withToken } from '../../../core/surfaces/headers.ts';
import type { Answer, StreamEncoder } from '../../../core/surfaces/surface.ts';
import type { RunView } from '../steps/render-run.ts';

/** The part of the answer that the caller has, or is being sent. */
export interface SentParts {
  /** In UTF-16 units. */
  length: number;
  readonly toolCalls: Set<string>;
}

/** Status and headers, sent before the first event. */
export function renderHead(
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
  const body = renderRest(view, { encoder, sent: { length: 0, toolCalls: new Set() } });
  return { ...renderHead('whole', view, view.result.cache), body };
}
