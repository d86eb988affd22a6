// Decodes server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html) from bytes that are split anywhere.
import { createParser } from 'eventsource-parser';
import { BrokenStream } from './broken-stream.ts';
import { MAX_EVENT_LENGTH, type ProtocolDecoder } from './read-answer.ts';

/** An event with data, without its id: a reader never connects again. */
export interface ServerSentEvent {
  /** Undefined where the stream names none. */
  readonly event: string | undefined;
  readonly data: string;
}

/** The decoder of one stream. An event that the end of the body cuts is given like any other: its reader rejects it. */
export function createSseDecoder(): ProtocolDecoder<ServerSentEvent> {
  // Removes a byte order mark, and keeps the beginning of a split character.
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let events: ServerSentEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event, data }) => events.push({ event, data }),
    onError: ({ type }) => {
      // Other errors concern lines that the specification ignores.
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
    },
  });
  function feed(decode: () => string): readonly ServerSentEvent[] {
    let text: string;
    try {
      text = decode();
    } catch {
      throw new BrokenStream('the stream is not UTF-8');
    }
    events = [];
    parser.feed(text);
    if (isTooLong) throw new BrokenStream('an event is too long');
    return events;
  }
  return {
    push: (bytes) => feed(() => utf8.decode(bytes, { stream: true })),
    end: () => feed(() => `${utf8.decode()}\n\n`),
  };
}
