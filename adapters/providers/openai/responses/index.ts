// Calls Responses of OpenAI, and of servers that have it, whole and streamed.
import { toModelEvents } from '../../../../core/ports/model-events.ts';
import type { ModelEvent, ModelRequest, ModelResult } from '../../../../core/ports/providers.ts';
import type { ProviderPorts } from '../../ports.ts';
import { postJson } from '../../post-json.ts';
import { openStream } from '../../streams/open-stream.ts';
import { readAnswer } from '../../streams/read-answer.ts';
import { createSseDecoder } from '../../streams/sse-decoder.ts';
import { readWholeAnswer } from '../../streams/whole-answer.ts';
import { isFilteredPrompt, toOpenaiFailure } from '../errors.ts';
import { FILTERED } from '../response.ts';
import { createResponseReader } from './read-events.ts';
import { buildResponsesRequest } from './request.ts';
import { explanationOf, toModelResult } from './response.ts';

/** Address and headers of a call, its key included. */
interface ResponsesCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws `ProviderFailure`. */
export async function generateResponse(
  { url, headers }: ResponsesCall,
  { http, clock }: Pick<ProviderPorts, 'http' | 'clock'>,
  request: ModelRequest,
): Promise<ModelResult> {
  const body = buildResponsesRequest(request);
  const answer = await postJson(http, { url, headers, body, signal: request.signal });
  if (answer.status === 200) return toModelResult(answer.json, answer.status);
  if (isFilteredPrompt(answer)) return FILTERED;
  throw toOpenaiFailure(answer, clock.now());
}

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
  if (isFilteredPrompt(opened)) return toModelEvents(FILTERED);
  throw toOpenaiFailure(opened, clock.now());
}
