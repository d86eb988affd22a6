// Reads server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6) from bytes that are split anywhere.

/** One event with data; comments and other fields are ignored. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a body, in order, without one that the end of the body cuts. */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ServerSentEvent, void> {
  if (body === null) return;
  const reader = body.getReader();
  // Drops a byte order mark, and keeps the first bytes of a split character.
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
    // The caller may have stopped early.
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
      // A CR at the end may be the first half of CR LF: it stays in `rest`.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return lines;
    },
    /** A last line that ends with CR. */
    end: (): string[] => (rest.endsWith('\r') ? [rest.slice(0, -1)] : []),
  };
}
