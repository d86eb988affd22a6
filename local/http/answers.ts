// Writes answers: the headers that every answer of API Gateway has, bodies, streams, and refusals in its own form.

import type { ServerResponse } from 'node:http';
import type { GatewayAnswer } from '../gateway-responses/index.ts';
import type { AnswerSink } from '../integration/proxy.ts';
import type { HeaderList } from '../integration/response-headers.ts';
import type { ApiRequest } from './api-request.ts';
import type { HttpError } from './limits.ts';

/** Sends a whole answer. */
export function sendAnswer(
  outgoing: ServerResponse,
  own: readonly string[],
  status: number,
  headers: readonly (readonly [string, string])[],
  body: string | Buffer,
): void {
  const all = [...own];
  for (const [name, value] of headers) all.push(name, value);
  // An answer without content has no length either (RFC 9110 section 8.6).
  if (status !== 204 && status !== 304) all.push('Content-Length', String(Buffer.byteLength(body)));
  outgoing.writeHead(status, all);
  outgoing.end(body);
}

/** Sends a gateway response. */
export function sendGatewayAnswer(
  outgoing: ServerResponse,
  own: readonly string[],
  answer: GatewayAnswer,
): void {
  sendAnswer(outgoing, own, answer.status, answer.headers, answer.body);
}

/** Sends an error that no gateway response can customise. */
export function sendHttpError(outgoing: ServerResponse, refusal: HttpError): void {
  const headers = [['Content-Type', 'application/json']] as const;
  sendAnswer(outgoing, [], refusal.status, headers, JSON.stringify({ message: refusal.message }));
}

/** The ids of the request: `x-amz-apigw-id` is the extended one. */
export function requestHeaders(request: ApiRequest): readonly string[] {
  return ['x-amzn-RequestId', request.requestId, 'x-amz-apigw-id', request.extendedRequestId];
}

/** The ids and the trace: answers of Lambda proxy integrations have it besides. */
export function proxyHeaders(request: ApiRequest): readonly string[] {
  return [...requestHeaders(request), 'X-Amzn-Trace-Id', request.traceId];
}

/** A sink that writes a streamed answer; once the caller is gone, it takes all bytes and throws them away. */
export function createSink(outgoing: ServerResponse, request: ApiRequest): AnswerSink {
  return {
    open: ({ status, headers }) => {
      // The head leaves with what comes with it, in one system call: of a short answer, all of it.
      const { socket } = outgoing;
      socket?.cork();
      outgoing.writeHead(status, flatten(proxyHeaders(request), headers));
      outgoing.flushHeaders();
      setImmediate(() => socket?.uncork());
    },
    write: (bytes, resume) => {
      if (outgoing.destroyed || outgoing.write(bytes)) return true;
      const go = () => {
        outgoing.off('drain', go);
        outgoing.off('close', go);
        resume();
      };
      outgoing.on('drain', go);
      outgoing.on('close', go);
      return false;
    },
    close: () => void outgoing.end(),
    abort: () => {
      const { socket } = outgoing;
      // What came before still reaches the caller.
      while (socket !== null && socket.writableCorked > 0) socket.uncork();
      outgoing.destroy();
    },
  };
}

function flatten(own: readonly string[], headers: HeaderList): string[] {
  const all = [...own];
  for (const [name, value] of headers) all.push(name, value);
  return all;
}
