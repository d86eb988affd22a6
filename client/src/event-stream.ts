// Reads server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6), wherever the network cut them.

/** One event with data; comments and fields other than these are passed over. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a body, in order. An event that the body ends within is none. */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ServerSentEvent, void> {
  if (body === null) return;
  const reader = body.getReader();
  // It drops a byte order mark, and holds back the bytes of a character that has not come whole.
  const decoder = new TextDecoder();
  const lines = createLineReader();
  let event = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      for (const line of done ? lines.end() : lines.push(decoder.decode(value, { stream: true }))) {
        if (line === '') {
          if (data.length > 0) yield { event, data: data.join('\n') };
          event = '';
          data = [];
        } else if (line.startsWith('event:')) event = fieldOf(line, 'event:');
        else if (line.startsWith('data:')) data.push(fieldOf(line, 'data:'));
      }
      if (done) return;
    }
  } finally {
    // Whoever stops reading wants no more of it.
    reader.cancel().catch(() => undefined);
  }
}

/** One space after the colon belongs to the syntax. */
function fieldOf(line: string, name: string): string {
  const value = line.slice(name.length);
  return value.startsWith(' ') ? value.slice(1) : value;
}

/** Cuts text into lines at CR LF, LF and CR. */
function createLineReader() {
  let rest = '';
  return {
    push(text: string): string[] {
      // A CR at the end may be the first half of CR LF: it waits for what follows.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return lines;
    },
    /** The line that nothing followed. */
    end: (): string[] => (rest.endsWith('\r') ? [rest.slice(0, -1)] : []),
  };
}
