// One exchange on a request of Node's HTTP client: sends the body, bounds the waits, and ends in an answer or in the first failure.
import type { ClientRequest, IncomingMessage } from 'node:http';

/** Times in milliseconds. */
export interface ExchangeOptions {
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For a new connection: how long it may take, and the event of its socket by which it is there. */
  readonly connectMs: number;
  readonly connectEvent: 'connect' | 'secureConnect';
  /** From the request to the headers of its answer, and again from there to the end of its body. By default the signal alone bounds them. */
  readonly answerMs?: number;
}

/**
 * Why an exchange ended before its answer was whole. `late`: the connection or the answer took longer than it may. `closed`: the
 * connection ended without an error. `isConnected` tells a request that may have been answered from one that cannot have been.
 */
export type ExchangeFailure =
  | { readonly kind: 'aborted' | 'closed' }
  | { readonly kind: 'late'; readonly wait: 'connection' | 'answer' }
  | { readonly kind: 'error'; readonly error: Error; readonly isConnected: boolean };

/** How a caller of `exchange` reads answers and names failures. */
export interface AnswerReader<Answer> {
  /**
   * Called once, with the headers. Calls `resolve` now or when the body is there. `fail` ends the exchange and gives the error of
   * its first failure.
   */
  readonly read: (
    answer: IncomingMessage,
    resolve: (answer: Answer) => void,
    fail: (failure: ExchangeFailure) => Error,
  ) => void;
  /** Called for the first failure alone: an error's stack takes a fiftieth of a store call. */
  readonly toError: (failure: ExchangeFailure) => Error;
}

/** Opens a request, unless its signal has aborted, and sends it. Rejects with the error that `toError` makes. */
export function exchange<Answer>(
  open: () => ClientRequest,
  options: ExchangeOptions,
  { read, toError }: AnswerReader<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { signal, answerMs } = options;
    if (signal?.aborted) return reject(toError({ kind: 'aborted' }));
    const sent = open();
    let failed: Error | undefined;
    const fail = (failure: ExchangeFailure): Error => {
      failed ??= toError(failure);
      reject(failed);
      sent.destroy();
      return failed;
    };
    const onAbort = () => fail({ kind: 'aborted' });
    signal?.addEventListener('abort', onAbort, { once: true });
    let isAnswered = false;
    let isClosed = false;
    const onLate = () => {
      const hadAnswer = isAnswered;
      afterSockets(() => {
        if (!isClosed && isAnswered === hadAnswer) fail({ kind: 'late', wait: 'answer' });
      });
    };
    const timer = answerMs === undefined ? undefined : setTimeout(onLate, answerMs);
    const isConnected = watchConnection(sent, options, () => fail({ kind: 'late', wait: 'connection' }));
    sent.once('close', () => {
      isClosed = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // Node closes without an error where a server switches to another protocol (101).
      if (!isAnswered) fail({ kind: 'closed' });
    });
    // Both error listeners stay to the end: a destroyed request may emit more errors, and one without a listener ends the process.
    sent.on('error', (error) => fail({ kind: 'error', error, isConnected: isConnected() }));
    sent.once('response', (answer) => {
      isAnswered = true;
      timer?.refresh();
      answer.on('error', (error) => fail({ kind: 'error', error, isConnected: true }));
      read(answer, resolve, fail);
    });
    sendBody(sent, options.body);
  });
}

/**
 * Node encodes a text of ASCII alone several times faster when told so: 0.6 ms for 800 KB. The head of a request is encoded with its body,
 * so that values of headers are ASCII, as those who open requests make sure.
 */
function sendBody(sent: ClientRequest, body: ExchangeOptions['body']): void {
  if (typeof body === 'string' && Buffer.byteLength(body) === body.length) sent.end(body, 'latin1');
  else sent.end(body);
}

/**
 * Runs it once the sockets were read. A process that was busy for as long as a wait fires its timer first, though the answer has been there
 * for long: many calls in one process are busy together.
 */
function afterSockets(run: () => void): void {
  setImmediate(run);
}

/** Gives a function that says whether the connection is there. */
function watchConnection(
  sent: ClientRequest,
  { connectMs, connectEvent, answerMs = Infinity }: ExchangeOptions,
  onLate: () => void,
): () => boolean {
  let isConnected = false;
  sent.once('socket', (socket) => {
    // A request that waited for a kept socket is not marked as `reusedSocket`.
    isConnected = !socket.connecting;
    if (isConnected) return;
    const onTime = () => afterSockets(() => (isConnected || socket.destroyed ? undefined : onLate()));
    const timer = connectMs < answerMs ? setTimeout(onTime, connectMs) : undefined;
    socket.once(connectEvent, () => {
      isConnected = true;
      clearTimeout(timer);
    });
    socket.once('close', () => clearTimeout(timer));
  });
  return () => isConnected;
}

/** Names in lower case. */
export function toHeaders(answer: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers;
}
