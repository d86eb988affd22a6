// Calls ConverseStream and gives its events.

import type { ModelEvent, ModelRequest } from '../../../core/ports/providers.ts';
import type { ProviderPorts } from '../ports.ts';
import { openStream } from '../streams/open-stream.ts';
import { readAnswer } from '../streams/read-answer.ts';
import { readWholeAnswer } from '../streams/whole-answer.ts';
import { traceHeaders } from '../trace-headers.ts';
import { explanationOf, toBedrockFailure } from './errors.ts';
import { createFrameDecoder } from './frame-decoder.ts';
import { createConverseReader } from './read-frames.ts';
import { buildConverseStreamRequest } from './request.ts';
import { toModelResult } from './response.ts';
import { signInvocation } from './send.ts';

/**
 * The events of a stream that was opened, or of the answer in its place. Throws `ProviderFailure` for every other answer, and in the
 * iteration as `ModelProvider.stream` does.
 */
export async function openConverse(
  region: string,
  { openHttp, clock }: Pick<ProviderPorts, 'openHttp' | 'clock'>,
  request: ModelRequest,
): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
  const { model, signal } = request;
  const body = buildConverseStreamRequest(request);
  const signed = await signInvocation(
    { region, model, operation: 'converse-stream', body, headers: traceHeaders(request) },
    clock,
  );
  const opened = await openStream(openHttp, { ...signed, signal });
  if (!('json' in opened)) return readAnswer(opened, createFrameDecoder(), createConverseReader());
  if (opened.status === 200) return readWholeAnswer(opened, toModelResult, explanationOf);
  throw toBedrockFailure(opened, clock.now());
}
