// One exchange on an opened request: sends the body, watches the connection, reads the answer within its bounds.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { HttpFailure } from './failure.ts';
import type { HttpAnswer, HttpRequest } from './message.ts';

/** How long a name, a connection and its TLS handshake may take together. */
const CONNECT_TIMEOUT_MS = 5_000;

/** The failure of a request that its caller gave up. */
export function aborted(url: URL, signal: AbortSignal): HttpFailure {
  return new HttpFailure('aborted', `the request to ${url.hostname} was given up`, signal.reason);
}

/** Sends what was opened and reads its answer whole. Throws `HttpFailure`. */
export function exchange(
  sent: ClientRequest,
  url: URL,
  { body, maxBytes, signal }: HttpRequest,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname } = url;
    const settle = once((failure: HttpFailure | undefined, answer?: HttpAnswer) => {
      signal.removeEventListener('abort', onAbort);
      if (answer !== undefined) return resolve(answer);
      sent.destroy();
      reject(failure);
    });
    const onAbort = () => settle(aborted(url, signal));
    signal.addEventListener('abort', onAbort, { once: true });

    const connection = watchConnection(sent, url.protocol, () =>
      settle(new HttpFailure('unreachable', `${hostname} could not be connected to in time`)),
    );
    // Stays to the end: what a destroyed request emits besides must not end the process.
    sent.on('error', (error) => settle(toFailure(error, hostname, connection.isMade())));
    sent.on('response', (answer) => collect(answer, { hostname, maxBytes, settle }));
    sent.end(body);
  });
}

type Settle = (failure: HttpFailure | undefined, answer?: HttpAnswer) => void;

function once(settle: Settle): Settle {
  let settled = false;
  return (failure, answer) => {
    if (settled) return;
    settled = true;
    settle(failure, answer);
  };
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
    : new HttpFailure('cut', `${hostname} ended the connection before its answer was whole`, error);
}

function collect(
  answer: IncomingMessage,
  { hostname, maxBytes, settle }: { hostname: string; maxBytes: number; settle: Settle },
): void {
  const cut = (error?: Error) =>
    settle(new HttpFailure('cut', `${hostname} ended the connection before its answer was whole`, error));
  const tooLarge = () =>
    settle(new HttpFailure('too_large', `${hostname} answered more than ${maxBytes} bytes`));
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') {
    settle(new HttpFailure('malformed', `${hostname} encoded its answer though that was not asked for`));
    return;
  }
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) {
    tooLarge();
    return;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  answer.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return tooLarge();
    chunks.push(chunk);
  });
  answer.on('error', cut);
  answer.on('end', () =>
    answer.complete
      ? settle(undefined, {
          status: answer.statusCode ?? 0,
          headers: toHeaders(answer),
          body: Buffer.concat(chunks),
        })
      : cut(),
  );
}

function toHeaders(answer: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
