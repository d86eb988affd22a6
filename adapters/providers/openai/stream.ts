// Requests a streamed chat completion and gives its events.
import { toModelEvents } from '../../../core/ports/model-events.ts';
import type { ModelEvent, ModelRequest } from '../../../core/ports/providers.ts';
import type { ProviderPorts } from '../ports.ts';
import { openStream } from '../streams/open-stream.ts';
import { readAnswer } from '../streams/read-answer.ts';
import { createSseDecoder } from '../streams/sse-decoder.ts';
import { readWholeAnswer } from '../streams/whole-answer.ts';
import { traceHeaders } from '../trace-headers.ts';
import { explanationOf, isFilteredPrompt, rejectsStreamOptions, toOpenaiFailure } from './errors.ts';
import { createCompletionReader } from './read-chunks.ts';
import { buildCompletionRequest, toEndpointUrl } from './request.ts';
import { FILTERED, toModelResult } from './response.ts';

/**
 * The events of the stream, or of a whole answer in its place. Throws `ProviderFailure` for every other answer, and in the iteration
 * as `ModelProvider.stream` does.
 */
export async function openCompletion(
  settings: Parameters<typeof toEndpointUrl>[0],
  { openHttp, clock }: Pick<ProviderPorts, 'openHttp' | 'clock'>,
  request: ModelRequest,
  headers: Readonly<Record<string, string>>,
): Promise<AsyncIterable<ModelEvent> | Iterable<ModelEvent>> {
  const post = (options: object) =>
    openStream(openHttp, {
      url: toEndpointUrl(settings, 'chat/completions'),
      headers: {
        ...headers,
        ...traceHeaders(request),
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      text: JSON.stringify({
        ...buildCompletionRequest(settings.baseUrl, request),
        stream: true,
        ...options,
      }),
      signal: request.signal,
    });
  const first = await post({ stream_options: { include_usage: true } });
  // Servers that do not know the option report usage in any case, or never.
  const opened = 'json' in first && rejectsStreamOptions(first) ? await post({}) : first;
  if (!('json' in opened)) return readAnswer(opened, createSseDecoder(), createCompletionReader());
  if (opened.status === 200) return readWholeAnswer(opened, toModelResult, explanationOf);
  if (isFilteredPrompt(opened)) return toModelEvents(FILTERED);
  throw toOpenaiFailure(opened, clock.now());
}
