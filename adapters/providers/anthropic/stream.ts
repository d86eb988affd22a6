// Requests a streamed message and gives its events.
import type { ModelEvent, ModelRequest } from '../../../core/ports/providers.ts';
import type { ProviderPorts } from '../ports.ts';
import { openStream } from '../streams/open-stream.ts';
import { traceHeaders } from '../trace-headers.ts';
import { toAnthropicFailure } from './errors.ts';
import { readOpened } from './read-opened.ts';
import { buildMessagesRequest, toMessagesUrl } from './request.ts';

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
  return readOpened(opened, request, (answer) => toAnthropicFailure(answer, clock.now()));
}
