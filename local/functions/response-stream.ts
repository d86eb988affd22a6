// In a function's process: the `responseStream` of streaming handlers and the global `awslambda`.

import { Writable } from 'node:stream';
import { type Handler, HIGH_WATER_MARK, STREAMING_MARK } from './load-handler.ts';

/** Node's Writable with Lambda's additions. */
interface ResponseStream extends Writable {
  setContentType(contentType: string): void;
  /** Set by `HttpResponseStream.from`: called once, before the first write. */
  _onBeforeFirstWrite?: (write: (chunk: string | Uint8Array) => void) => void;
}

/** Takes bytes on their way to the runner and calls back when there is room for more. */
export type SendBytes = (bytes: Buffer, done: () => void) => void;

const DELIMITER = new Uint8Array(8);
const MAX_PIECE_BYTES = 64 * 1024;

/**
 * A stream like that of Lambda's runtime: values other than text and bytes are written as JSON, and the prelude goes out with the
 * first `write`. As there, `end(chunk)` without a `write` sends no prelude, and API Gateway rejects the answer.
 */
export function createResponseStream(
  send: SendBytes,
  finish: () => void,
  highWaterMark?: number,
): ResponseStream {
  const stream = new Writable({
    ...(highWaterMark === undefined ? {} : { highWaterMark }),
    write: (chunk: Buffer, _encoding, done) => sendPieces(send, chunk, 0, done),
    final: (done) => {
      finish();
      done();
    },
  }) as ResponseStream;
  let written = false;
  const write = stream.write.bind(stream) as (...values: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]): boolean => {
    if (!written) {
      written = true;
      stream._onBeforeFirstWrite?.((first) => write(first));
    }
    return write(toChunk(chunk), ...rest);
  }) as Writable['write'];
  stream.setContentType = () => {
    if (written) throw new Error('Cannot set content-type, too late.');
  };
  return stream;
}

function toChunk(chunk: unknown): unknown {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : JSON.stringify(chunk);
}

function sendPieces(send: SendBytes, chunk: Buffer, from: number, done: () => void): void {
  const next = from + MAX_PIECE_BYTES;
  if (next >= chunk.length) send(from === 0 ? chunk : chunk.subarray(from), done);
  else send(chunk.subarray(from, next), () => sendPieces(send, chunk, next, done));
}

/**
 * The global of Lambda's Node.js runtime: `streamifyResponse` marks a handler, `HttpResponseStream.from` puts metadata
 * as JSON and eight null bytes before the body (content type `application/vnd.awslambda.http-integration-response`).
 */
export const awslambda = {
  streamifyResponse(handler: Handler, options?: { highWaterMark?: unknown }): Handler {
    const marks: Record<symbol, unknown> = { [STREAMING_MARK]: 'response' };
    if (typeof options?.highWaterMark === 'number')
      marks[HIGH_WATER_MARK] = Math.trunc(options.highWaterMark);
    return Object.assign(handler, marks);
  },
  HttpResponseStream: {
    from(stream: ResponseStream, prelude: unknown): ResponseStream {
      stream.setContentType('application/vnd.awslambda.http-integration-response');
      stream._onBeforeFirstWrite = (write) => {
        write(JSON.stringify(prelude));
        write(DELIMITER);
      };
      return stream;
    },
  },
};
