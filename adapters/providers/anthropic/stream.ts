// Requests a streamed message and gives its events.
import type { ModelEvent, ModelRequest } from '../../../core/ports/providers.ts';
import type { ProviderPorts } from '../ports.ts';
import { openStream } from '../streams/open-stream.ts';
import { readAnswer } from '../streams/read-answer.ts';
import { createSseDecoder } from '../streams/sse-decoder.ts';
import { readWholeAnswer } from '../streams/whole-answer.ts';
import { traceHeaders } from '../trace-headers.ts';
import { explanationOf, toAnthropicFailure } from './errors.ts';
import { createMessageReader } from './read-events.ts';
import { buildMessagesRequest, toMessagesUrl } from './request.ts';
import { toModelResult } from './response.ts';

/**
 * The events of the stream, or of a whole answer in its place. Throws `ProviderFailure` for every other answer, and in the iteration
 * as `ModelProvider.stream` does.
 */
export async function openMessage(
  baseUrl: string,
  { openHttp, clock }: Pick<ProviderPorts, 'openHttp' | 'clock'>,
  request: ModelRequest,
  own: Readonly<Record<string, string>>,
): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
  const headers = { ...own, ...traceHeaders(request), accept: 'text/event-stream' };
  const opened = await openStream(openHttp, {
    url: toMessagesUrl(baseUrl),
    headers: { ...headers, 'content-type': 'application/json' },
    text: JSON.stringify({ ...buildMessagesRequest(request), stream: true }),
    signal: request.signal,
  });
  if (!('json' in opened)) return readAnswer(opened, createSseDecoder(), createMessageReader());
  if (opened.status === 200) return readWholeAnswer(opened, toModelResult, explanationOf);
  throw toAnthropicFailure(opened, clock.now());
}
