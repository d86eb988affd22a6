// Calls that are answered with server-sent events, read strictly: whatever is not a frame of the contract fails the test.
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Answer, type CallOptions, callUrl } from './call.ts';

/** One event, its data parsed. */
export interface StreamEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** What a caller of a stream asks for. */
export const ACCEPT_STREAM = { accept: 'text/event-stream' };

/** Calls for a stream and waits for its end, or for the ordinary answer that comes in its place. */
export function callStream(origin: string, path: string, options: CallOptions = {}): Promise<Answer> {
  return callUrl(origin, path, { ...options, headers: { ...ACCEPT_STREAM, ...options.headers } });
}

/** An event as the service writes it: its name, one line of data, an empty line. */
const FRAME = /^event: ([A-Za-z]+)\ndata: ([^\r\n]+)\n\n/;
const COMMENT = /^: ping\n\n/;

/** The events of a whole body. Throws for every byte that belongs to no frame and no comment. */
export function parseEvents(text: string): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  for (let rest = text; rest !== ''; ) {
    const frame = FRAME.exec(rest);
    const matched = frame ?? COMMENT.exec(rest);
    if (matched === null) throw new Error(`no frame: ${JSON.stringify(rest.slice(0, 200))}`);
    if (frame !== null) events.push({ event: frame[1] ?? '', data: JSON.parse(frame[2] ?? '') });
    rest = rest.slice(matched[0].length);
  }
  return events;
}

/** The texts of the deltas, together. */
export function textOf(events: readonly StreamEvent[]): string {
  return events
    .filter(({ event }) => event === 'delta')
    .map(({ data }) => data['text'])
    .join('');
}

/** A stream that is read while it comes. */
export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The next event; undefined when the body has ended, however it did. */
  next(): Promise<StreamEvent | undefined>;
  /** Everything that is left; `whole` says whether the body ended as HTTP wants it. */
  rest(): Promise<{ readonly events: readonly StreamEvent[]; readonly whole: boolean }>;
  /** Reads nothing more, and leaves the connection open. */
  pause(): void;
  /** Goes away as a caller does whose user has left the page. */
  leave(): void;
}

/** Resolves when the head of the answer is there. */
export function openStream(origin: string, path: string, json: unknown): Promise<OpenStream> {
  const { protocol, hostname, port, pathname } = new URL(origin);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      {
        ...{ hostname, port, method: 'POST', agent: false },
        path: pathname.replace(/\/$/, '') + path,
        headers: { 'content-type': 'application/json', ...ACCEPT_STREAM },
      },
      (response) => resolve(reader(response)),
    );
    request.on('error', reject);
    request.end(JSON.stringify(json));
  });
}

function reader(response: IncomingMessage): OpenStream {
  let text = '';
  let ended: { readonly whole: boolean } | undefined;
  let wake = (): void => undefined;
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    wake();
  });
  // A body that is cut off closes without an end.
  response.on('error', () => undefined);
  response.on('close', () => {
    ended = { whole: response.complete };
    wake();
  });
  const next = async (): Promise<StreamEvent | undefined> => {
    for (;;) {
      text = text.replace(COMMENT, '');
      const frame = FRAME.exec(text);
      if (frame !== null) {
        text = text.slice(frame[0].length);
        return { event: frame[1] ?? '', data: JSON.parse(frame[2] ?? '') };
      }
      if (ended !== undefined) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    async rest() {
      const events: StreamEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) events.push(event);
      return { events, whole: ended?.whole ?? false };
    },
    pause: () => void response.pause(),
    leave: () => void response.destroy(),
  };
}
