// Hands the body of a streamed answer to Middy as bytes.
import { Readable } from 'node:stream';
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** As large as the chunks that Node reads and writes by default, so that a slow reader is waited for. */
export const CHUNK_BYTES = 16_384;

/** UTF-16 units of the longest text that Middy writes in one piece (`chunkSize` of its streaming mode). */
const WHOLE_UNITS = 16_384;

/**
 * Comes last, before the answer leaves. Middy cuts a long text by UTF-16 units and encodes each piece for itself: a
 * character outside the Basic Multilingual Plane that lies across a cut would reach the caller as two U+FFFD. A text that it
 * does not cut stays one: a stream and its pipe would be a tenth of what a request allocates, and outlive it.
 */
export function streamBytes(): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    after: ({ response }) => toBytes(response),
    onError: ({ response }) => toBytes(response),
  };
}

/** In place: the types of a proxy result know no streams. Middy does, and pipes one with back-pressure. */
function toBytes(result: APIGatewayProxyResult | null | undefined): void {
  if (typeof result?.body !== 'string' || result.body.length <= WHOLE_UNITS) return;
  Object.assign(result, { body: Readable.from(chunksOf(Buffer.from(result.body)), { objectMode: false }) });
}

/** The bytes in pieces of that size. */
export function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    yield bytes.subarray(start, start + CHUNK_BYTES);
  }
}
