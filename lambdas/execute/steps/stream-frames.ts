// Renders what a streamed answer begins and ends with, and the whole of it at once.

import { ServiceError } from '../../../core/contract/service-error.ts';
import { SURFACES } from '../../../core/surfaces/registry.ts';
import type { Answer, StreamEncoder } from '../../../core/surfaces/surface.ts';
import { type ExecutedRun, type LookedUpRun, modelCallsOf } from '../run.ts';
import { detailOf, resultOf } from './execute.ts';
import type { Streaming } from './start-stream.ts';

/** A new encoder, for one answer. */
export function encoderOf(run: LookedUpRun): StreamEncoder {
  return SURFACES[run.request.surface].createEncoder(detailOf(run, []));
}

/** All events in one body: what the same request is answered with when it comes again. Throws the error of a run that failed. */
export function renderWhole(run: ExecutedRun): Answer {
  const body = lastFrames(run, { encoder: encoderOf(run), sent: { length: 0, toolCalls: new Set() } });
  return { ...headOf(run, 'whole'), body };
}

/** What the caller does not have yet, and the result. Throws the error of a run that failed. */
export function lastFrames(run: ExecutedRun, { encoder, sent }: Pick<Streaming, 'encoder' | 'sent'>): string {
  const result = resultOf(run);
  const { output: text = '', toolCalls = [] } = result;
  if (sent.length > 0 && sent.length !== text.length) {
    throw new ServiceError('internal', { reason: 'the text that was sent is not the output' });
  }
  const left = toolCalls.filter(({ id }) => !sent.toolCalls.has(id));
  return [
    sent.length === 0 && text !== '' ? encoder.text(text) : '',
    ...left.map((call) => encoder.toolCall(call)),
    encoder.result(result, detailOf(run, modelCallsOf(run)).receipt),
  ].join('');
}

/** Status and headers, sent before the first event. */
export function headOf(run: LookedUpRun, mode: Streaming['mode']): Pick<Answer, 'status' | 'headers'> {
  const { surface, executionId } = run.request;
  const { receipt, rateLimit } = detailOf(run, []);
  const head = { executionId, cache: run.lookup.result, maySeeReceipt: receipt !== undefined, rateLimit };
  return SURFACES[surface].renderStreamHead(mode, head);
}
