// Reads what was answered to a request for a streamed message.
import type { ModelEvent, ModelRequest, ProviderFailure } from '../../../core/ports/providers.ts';
import type { OpenAnswer } from '../../http/message.ts';
import type { JsonAnswer } from '../post-json.ts';
import { readAnswer } from '../streams/read-answer.ts';
import { createSseDecoder } from '../streams/sse-decoder.ts';
import { readWholeAnswer } from '../streams/whole-answer.ts';
import { explanationOf } from './errors.ts';
import { isPassed } from './passed.ts';
import { createMessageReader } from './read-events.ts';
import { readMessage } from './response.ts';

/** The events of a message, of this vendor or of another that answers in its form. Throws the failure of an answer that is none. */
export function readOpened(
  opened: OpenAnswer | JsonAnswer,
  request: ModelRequest,
  toFailure: (answer: JsonAnswer) => ProviderFailure,
): AsyncIterable<ModelEvent> | Iterable<ModelEvent> {
  if (!('json' in opened)) {
    return readAnswer(opened, createSseDecoder(), createMessageReader(isPassed(request)));
  }
  if (opened.status !== 200) throw toFailure(opened);
  const read = (json: unknown, status: number) => readMessage(request, { json, status });
  return readWholeAnswer(opened, read, explanationOf);
}
