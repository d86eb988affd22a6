// Calls Responses for an answer in pieces.
import { toModelEvents } from '../../../../core/ports/model-events.ts';
import type { ModelEvent, ModelRequest } from '../../../../core/ports/providers.ts';
import type { ProviderPorts } from '../../ports.ts';
import { openStream } from '../../streams/open-stream.ts';
import { readAnswer } from '../../streams/read-answer.ts';
import { createSseDecoder } from '../../streams/sse-decoder.ts';
import { readWholeAnswer } from '../../streams/whole-answer.ts';
import { type ResponsesCall, resultOfError } from './generate.ts';
import { createResponseReader } from './read-events.ts';
import { buildResponsesRequest } from './request.ts';
import { explanationOf, toModelResult } from './response.ts';

/** The events of the stream, or of a whole answer in its place. Throws `ProviderFailure` as `ModelProvider.stream` does. */
export async function openResponse(
  { url, headers }: ResponsesCall,
  { openHttp, clock }: Pick<ProviderPorts, 'openHttp' | 'clock'>,
  request: ModelRequest,
): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
  const opened = await openStream(openHttp, {
    url,
    headers: { ...headers, accept: 'text/event-stream', 'content-type': 'application/json' },
    text: JSON.stringify({ ...buildResponsesRequest(request), stream: true }),
    signal: request.signal,
  });
  if (!('json' in opened)) return readAnswer(opened, createSseDecoder(), createResponseReader());
  if (opened.status === 200) return readWholeAnswer(opened, toModelResult, explanationOf);
  return toModelEvents(resultOfError(opened, clock.now()));
}
