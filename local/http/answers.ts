// Writes answers: the headers that API Gateway adds, bodies, streams and errors.

import type { ServerResponse } from 'node:http';
import type { AnswerSink } from '../integration/proxy.ts';
import type { ApiRequest } from './api-request.ts';
import type { HttpError } from './limits.ts';

/** Name and value, in the order in which they are sent. */
type Headers = readonly (readonly [string, string])[];

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Buffer;
}

/** Sends a whole answer. @param gatewayHeaders names and values in turn, sent before those of the answer */
export function sendAnswer(
  outgoing: ServerResponse,
  gatewayHeaders: readonly string[],
  { status, headers, body }: Answer,
): void {
  const all = [...gatewayHeaders, ...headers.flat()];
  // An answer without content has no length either (RFC 9110 section 8.6).
  if (status !== 204 && status !== 304) all.push('Content-Length', String(Buffer.byteLength(body)));
  outgoing.writeHead(status, all).end(body);
}

/** Sends an error that no gateway response can customise. */
export function sendHttpError(outgoing: ServerResponse, { status, message }: HttpError): void {
  const body = JSON.stringify({ message });
  sendAnswer(outgoing, [], { status, headers: [['Content-Type', 'application/json']], body });
}

/** The ids of the request: `x-amz-apigw-id` is the extended one. */
export function requestHeaders(request: ApiRequest): readonly string[] {
  return ['x-amzn-RequestId', request.requestId, 'x-amz-apigw-id', request.extendedRequestId];
}

/** The ids and the trace, for answers of Lambda proxy integrations. */
export function proxyHeaders(request: ApiRequest): readonly string[] {
  return [...requestHeaders(request), 'X-Amzn-Trace-Id', request.traceId];
}

/** A sink that writes a streamed answer. It ignores all bytes after the caller has gone. */
export function createSink(outgoing: ServerResponse, request: ApiRequest): AnswerSink {
  // A function that takes many calls writes on until it hears that there is no room.
  let waiting: (() => void)[] = [];
  const onRoom = () => {
    outgoing.off('drain', onRoom);
    outgoing.off('close', onRoom);
    const waited = waiting;
    waiting = [];
    for (const resume of waited) resume();
  };
  return {
    open: ({ status, headers }) => {
      // The head leaves with the first bytes of the body, in one system call.
      const { socket } = outgoing;
      socket?.cork();
      outgoing.writeHead(status, [...proxyHeaders(request), ...headers.flat()]);
      outgoing.flushHeaders();
      setImmediate(() => socket?.uncork());
    },
    write: (bytes, resume) => {
      if (outgoing.destroyed || outgoing.write(bytes)) return true;
      if (waiting.length === 0) {
        outgoing.on('drain', onRoom);
        outgoing.on('close', onRoom);
      }
      waiting.push(resume);
      return false;
    },
    close: () => void outgoing.end(),
    abort: () => {
      const { socket } = outgoing;
      // Earlier bytes still reach the caller.
      while (socket !== null && socket.writableCorked > 0) socket.uncork();
      outgoing.destroy();
    },
  };
}
