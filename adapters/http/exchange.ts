// One exchange on an opened request: sends the body, watches the connection, and gives the answer with a body to be read.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { HttpFailure } from './failure.ts';
import type { HttpRequest, OpenAnswer } from './message.ts';

/** How long a name, a connection and its TLS handshake may take together. */
const CONNECT_TIMEOUT_MS = 5_000;

/** The failure of a request that its caller gave up. */
export function aborted(url: URL, signal: AbortSignal): HttpFailure {
  return new HttpFailure('aborted', `the request to ${url.hostname} was given up`, signal.reason);
}

/** Sends what was opened; resolves with the headers of the answer. Throws `HttpFailure`. */
export function exchange(
  sent: ClientRequest,
  url: URL,
  { body, signal }: Pick<HttpRequest, 'body' | 'signal'>,
): Promise<OpenAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname } = url;
    let failure: HttpFailure | undefined;
    // The first failure is the reason; what a destroyed request emits besides says nothing.
    const fail = (reason: HttpFailure) => {
      failure ??= reason;
      sent.destroy();
      reject(failure);
    };
    const onAbort = () => fail(aborted(url, signal));
    signal.addEventListener('abort', onAbort, { once: true });
    sent.once('close', () => signal.removeEventListener('abort', onAbort));

    const connection = watchConnection(sent, url.protocol, () =>
      fail(new HttpFailure('unreachable', `${hostname} could not be connected to in time`)),
    );
    // Stays to the end: what a destroyed request emits besides must not end the process.
    sent.on('error', (error) => fail(toFailure(error, hostname, connection.isMade())));
    sent.on('response', (answer) => {
      if (isEncoded(answer)) {
        fail(new HttpFailure('malformed', `${hostname} encoded its answer though that was not asked for`));
        return;
      }
      resolve(toOpenAnswer(answer, (error) => failure ?? cut(hostname, error)));
    });
    sent.end(body);
  });
}

/** Whether a connection was made tells a request that cannot have been answered from one that may have been. */
function watchConnection(
  sent: ClientRequest,
  protocol: string,
  onTimeout: () => void,
): { readonly isMade: () => boolean } {
  let made = false;
  sent.once('socket', (socket) => {
    made = sent.reusedSocket;
    if (made) return;
    const timer = setTimeout(onTimeout, CONNECT_TIMEOUT_MS);
    socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      made = true;
      clearTimeout(timer);
    });
    socket.once('close', () => clearTimeout(timer));
  });
  return { isMade: () => made };
}

function toFailure(error: Error, hostname: string, connected: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (!connected) return new HttpFailure('unreachable', `${hostname} could not be connected to`, error);
  // Node's HTTP parser names its errors HPE_…; a body shorter than announced ends in one too, and is the connection's end.
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'
    ? new HttpFailure('malformed', `${hostname} does not speak HTTP`, error)
    : cut(hostname, error);
}

function cut(hostname: string, error?: unknown): HttpFailure {
  return new HttpFailure('cut', `${hostname} ended the connection before its answer was whole`, error);
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding !== 'identity' && encoding !== '';
}

/** `reasonFor` gives the failure for an error of the body. */
function toOpenAnswer(answer: IncomingMessage, reasonFor: (error?: unknown) => HttpFailure): OpenAnswer {
  // An error before the body is read must not end the process; the iteration meets it later.
  answer.on('error', () => undefined);
  return {
    status: answer.statusCode ?? 0,
    headers: toHeaders(answer),
    body: { [Symbol.asyncIterator]: () => readBody(answer, reasonFor) },
    close() {
      if (!answer.readableEnded) answer.destroy();
    },
  };
}

async function* readBody(
  answer: IncomingMessage,
  reasonFor: (error?: unknown) => HttpFailure,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of answer) yield chunk as Uint8Array;
  } catch (error) {
    throw reasonFor(error);
  }
  if (!answer.complete) throw reasonFor();
}

function toHeaders(answer: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
