// The quotas of API Gateway for every request.

import type { IncomingMessage } from 'node:http';
import type { GatewayError } from '../gateway-responses/index.ts';

/** Payload size (API Gateway Developer Guide, "Quotas for configuring and running a REST API"). */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Node's own limit, above the quota, so that the answer is API Gateway's. */
export const NODE_HEADER_BYTES = 64 * 1024;
/** Total combined size of all headers; URL of a Regional API; ARN of a method with authorization (same page). */
const MAX_HEADERS_BYTES = 10_240;
const MAX_URL_LENGTH = 10_240;
const MAX_METHOD_ARN_BYTES = 1_600;

/** An error response that is not a gateway response. */
export interface HttpError {
  readonly status: number;
  readonly message: string;
}

/** Checks URL and headers against the quotas. */
export function checkHead(incoming: IncomingMessage): HttpError | undefined {
  if ((incoming.url?.length ?? 0) > MAX_URL_LENGTH) return { status: 414, message: 'Request URI too long' };
  let bytes = 0;
  const raw = incoming.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) {
    bytes += (raw[index]?.length ?? 0) + (raw[index + 1]?.length ?? 0) + 2;
  }
  if (bytes <= MAX_HEADERS_BYTES) return undefined;
  return { status: 431, message: `HTTP header is larger than ${MAX_HEADERS_BYTES} bytes.` };
}

export function checkMethodArn(methodArn: string): HttpError | undefined {
  return Buffer.byteLength(methodArn) > MAX_METHOD_ARN_BYTES
    ? { status: 414, message: 'Request URI too long' }
    : undefined;
}

/** The payload is over API Gateway's own limit. */
export const BODY_TOO_LARGE: GatewayError = {
  type: 'REQUEST_TOO_LARGE',
  message: `HTTP content length exceeded ${MAX_BODY_BYTES} bytes.`,
};

/** The bytes as they came, or why there are none; `aborted`: the caller has gone. */
type Body = { readonly pieces: readonly Buffer[] } | 'too large' | 'aborted';

/** Smaller ones are joined: each is a text of its own in the event, and a write. */
const MIN_PIECE_BYTES = 4_096;

const EMPTY_BODY: Body = { pieces: [] };

export function readBody(incoming: IncomingMessage): Promise<Body> | Body {
  const { headers } = incoming;
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > MAX_BODY_BYTES) return 'too large';
  if (announced === 0 && headers['transfer-encoding'] === undefined) return EMPTY_BODY;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    incoming.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= MAX_BODY_BYTES) pieces.push(piece);
      else resolve('too large');
    });
    incoming.on('end', () =>
      resolve({ pieces: length < pieces.length * MIN_PIECE_BYTES ? [Buffer.concat(pieces)] : pieces }),
    );
    incoming.on('error', () => resolve('aborted'));
    incoming.on('close', () => resolve('aborted'));
  });
}
