// Reads a provider's stream to its end: bytes to events of its protocol, and those to events of the model.
import { type ModelEvent, ProviderFailure, type TokenUsage } from '../../../core/ports/providers.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { OpenAnswer } from '../../http/message.ts';
import { BrokenStream } from './broken-stream.ts';
import { drain } from './drain.ts';

/** Cuts bytes into events of a protocol, wherever the network cut them. Throws `BrokenStream` for bytes that can be none. */
export interface ProtocolDecoder<Event> {
  push(bytes: Uint8Array): Iterable<Event>;
  /** The body has ended. */
  end(): Iterable<Event>;
}

/** Makes an answer of the events of a protocol. Throws `BrokenStream` for what can be no part of a whole answer. */
export interface AnswerReader<Event> {
  /** Gives the event `end` as soon as the answer is whole; whatever follows it is not read. */
  read(event: Event): readonly ModelEvent[];
  /** The body has ended. Throws `BrokenStream` unless the answer is whole. */
  end(): readonly ModelEvent[];
  /** What the provider has reported so far. */
  usage(): TokenUsage | undefined;
}

/** Characters or bytes of one event of any protocol: what a model writes at once has a few, the arguments of a tool call some thousands. */
export const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/** Throws as `ModelProvider.stream` says. */
export async function* readAnswer<Event>(
  answer: OpenAnswer,
  decoder: ProtocolDecoder<Event>,
  reader: AnswerReader<Event>,
): AsyncGenerator<ModelEvent, void, void> {
  const chunks = answer.body[Symbol.asyncIterator]();
  let isWhole = false;
  try {
    yield { type: 'opened' };
    while (!isWhole) {
      const chunk = await chunks.next();
      const hasEnded = chunk.done === true;
      for (const event of readEvents(decoder, reader, hasEnded ? undefined : chunk.value)) {
        // Before it is given away: the consumer may well stop here.
        isWhole = event.type === 'end';
        yield event;
        if (isWhole) break;
      }
    }
  } catch (thrown) {
    throw toFailure(thrown, { status: answer.status, usage: reader.usage() });
  } finally {
    if (isWhole) drain(chunks, answer);
    else answer.close();
  }
}

/** What these bytes, or the end of the body, add to the answer. */
function* readEvents<Event>(
  decoder: ProtocolDecoder<Event>,
  reader: AnswerReader<Event>,
  bytes: Uint8Array | undefined,
): Generator<ModelEvent> {
  const events = bytes === undefined ? decoder.end() : decoder.push(bytes);
  for (const event of events) {
    let isSilent = true;
    for (const modelEvent of reader.read(event)) {
      isSilent = false;
      yield modelEvent;
    }
    if (isSilent) yield { type: 'progress', usage: reader.usage() };
  }
  if (bytes === undefined) yield* reader.end();
}

function toFailure(
  thrown: unknown,
  detail: { readonly status: number; readonly usage: TokenUsage | undefined },
): unknown {
  if (thrown instanceof BrokenStream) {
    return new ProviderFailure('truncated', { ...detail, explanation: thrown.explanation, cause: thrown });
  }
  if (thrown instanceof HttpFailure) {
    const kind = thrown.kind === 'aborted' ? 'timeout' : 'truncated';
    return new ProviderFailure(kind, { ...detail, cause: thrown });
  }
  return thrown;
}
