// Reads a provider's stream to its end: from bytes to events of its protocol, and from those to events of the model.
import { type ModelEvent, ProviderFailure, type TokenUsage } from '../../../core/ports/providers.ts';
import { HttpFailure } from '../../http/failure.ts';
import type { OpenAnswer } from '../../http/message.ts';
import { BrokenStream } from './broken-stream.ts';

/** Makes events of a protocol from bytes that are split anywhere. Throws `BrokenStream` for invalid bytes. */
export interface ProtocolDecoder<Event> {
  push(bytes: Uint8Array): Iterable<Event>;
  /** Called at the end of the body. */
  end(): Iterable<Event>;
}

/** Makes an answer from events of a protocol. Throws `BrokenStream` for events that fit no whole answer. */
export interface AnswerReader<Event> {
  /** Gives the event `end` as soon as the answer is whole; nothing after it is read. */
  read(event: Event): readonly ModelEvent[];
  /** Called at the end of the body. Throws `BrokenStream` unless the answer is whole. */
  end(): readonly ModelEvent[];
  /** The usage that the provider has reported so far. */
  usage(): TokenUsage | undefined;
}

/** Characters or bytes of one event of any protocol: a piece of text has a few, the arguments of a tool call some thousands. */
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
        // Set before `yield`: the consumer may stop there.
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

/** The events that these bytes, or the end of the body, add to the answer. */
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
    const { explanation, isOfModel } = thrown;
    const kind = isOfModel ? 'malformed_answer' : 'truncated';
    return new ProviderFailure(kind, { ...detail, explanation, isOfModel, cause: thrown });
  }
  if (thrown instanceof HttpFailure) {
    const kind = thrown.kind === 'aborted' ? 'timeout' : 'truncated';
    return new ProviderFailure(kind, { ...detail, cause: thrown });
  }
  return thrown;
}

const MAX_REST_BYTES = 16 * 1024;
const MAX_REST_MS = 1_000;

/**
 * Keeps the connection of a whole answer: usually only the end of its framing is left. Reads the rest in the background, and closes the
 * connection where the rest is long or late.
 */
function drain(rest: AsyncIterator<Uint8Array>, answer: Pick<OpenAnswer, 'close'>): void {
  const late = setTimeout(() => answer.close(), MAX_REST_MS);
  void readRest(rest)
    // The answer is whole, so an error of the connection does not matter.
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(late);
      answer.close();
    });
}

async function readRest(rest: AsyncIterator<Uint8Array>): Promise<void> {
  let bytes = 0;
  while (bytes <= MAX_REST_BYTES) {
    const chunk = await rest.next();
    if (chunk.done === true) return;
    bytes += chunk.value.byteLength;
  }
}
