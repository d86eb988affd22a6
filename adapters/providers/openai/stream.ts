// Asks for a streamed chat completion and gives its events.

import { toModelEvents } from '../../../core/ports/model-events.ts';
import type { ModelEvent, ModelRequest } from '../../../core/ports/providers.ts';
import type { OpenAnswer } from '../../http/message.ts';
import type { ProviderPorts } from '../ports.ts';
import type { JsonAnswer } from '../post-json.ts';
import { openStream } from '../streams/open-stream.ts';
import { readAnswer } from '../streams/read-answer.ts';
import { createSseDecoder } from '../streams/sse-decoder.ts';
import { readWholeAnswer } from '../streams/whole-answer.ts';
import { explanationOf, isFilteredPrompt, refusesStreamOptions, toOpenaiFailure } from './errors.ts';
import { createCompletionReader } from './read-chunks.ts';
import { buildCompletionRequest, toEndpointUrl } from './request.ts';
import { FILTERED, toModelResult } from './response.ts';

/** A stream that was opened, or the answer in its place. */
export type OpenCompletion = OpenAnswer | JsonAnswer;

/** Throws `ProviderFailure` for every answer that is neither a stream nor can be read in place of one. */
export async function openCompletion(
  baseUrl: string,
  { openHttp, clock }: Pick<ProviderPorts, 'openHttp' | 'clock'>,
  request: ModelRequest,
  headers: Readonly<Record<string, string>>,
): Promise<OpenCompletion> {
  const post = (options: object) =>
    openStream(openHttp, {
      url: toEndpointUrl(baseUrl, 'chat/completions'),
      headers,
      text: JSON.stringify({ ...buildCompletionRequest(baseUrl, request), stream: true, ...options }),
      signal: request.signal,
    });
  const first = await post({ stream_options: { include_usage: true } });
  // Servers that do not know the option report usage anyway, or not at all.
  const opened = 'json' in first && refusesStreamOptions(first) ? await post({}) : first;
  if (!('json' in opened) || opened.status === 200 || isFilteredPrompt(opened)) return opened;
  throw toOpenaiFailure(opened, clock.now());
}

/** Throws as `ModelProvider.stream` does. */
export async function* readCompletion(opened: OpenCompletion): AsyncGenerator<ModelEvent, void, void> {
  if (!('json' in opened)) {
    yield* readAnswer(opened, createSseDecoder(), createCompletionReader());
  } else if (opened.status === 200) {
    yield* readWholeAnswer(opened, toModelResult, explanationOf);
  } else {
    yield* toModelEvents(FILTERED);
  }
}
