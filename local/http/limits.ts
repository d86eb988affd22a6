// The quotas of API Gateway that hold for every request, before a method is matched.

import type { IncomingMessage } from 'node:http';
import type { GatewayError } from '../gateway-responses/index.ts';

/** Payload size (API Gateway Developer Guide, "Quotas for configuring and running a REST API"). */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
/** Node refuses longer headers by itself; room above the quota, so that the answer can be API Gateway's. */
export const NODE_HEADER_BYTES = 64 * 1024;
/** Total combined size of all headers; URL of a Regional API; ARN of a method with authorization (same page). */
const LARGEST_HEADERS_BYTES = 10_240;
const LONGEST_URL = 10_240;
const LONGEST_METHOD_ARN = 1_600;

/** An error response that is not a gateway response. */
export interface HttpError {
  readonly status: number;
  readonly message: string;
}

/** The refusal of a request whose URL or headers are over the quota. */
export function checkHead(incoming: IncomingMessage): HttpError | undefined {
  if ((incoming.url?.length ?? 0) > LONGEST_URL) return { status: 414, message: 'Request URI too long' };
  let bytes = 0;
  const raw = incoming.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) {
    bytes += (raw[index]?.length ?? 0) + (raw[index + 1]?.length ?? 0) + 2;
  }
  if (bytes <= LARGEST_HEADERS_BYTES) return undefined;
  return { status: 431, message: `HTTP header is larger than ${LARGEST_HEADERS_BYTES} bytes.` };
}

/** The refusal of a method ARN over the quota: path variables can make it too long. */
export function checkMethodArn(methodArn: string): HttpError | undefined {
  return Buffer.byteLength(methodArn) > LONGEST_METHOD_ARN
    ? { status: 414, message: 'Request URI too long' }
    : undefined;
}

/** The payload is over API Gateway's own limit. */
export const BODY_TOO_LARGE: GatewayError = {
  type: 'REQUEST_TOO_LARGE',
  message: `HTTP content length exceeded ${LARGEST_BODY_BYTES} bytes.`,
};

/** The result of reading a body: the bytes, a body that is too large, or a caller that went away. */
type Body = { readonly bytes: Buffer } | 'too large' | 'aborted';

const EMPTY_BODY: Body = { bytes: Buffer.alloc(0) };

/** Reads a body up to the limit; what comes after it is left to be thrown away. */
export function readBody(incoming: IncomingMessage): Promise<Body> | Body {
  const { headers } = incoming;
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > LARGEST_BODY_BYTES) return 'too large';
  if (announced === 0 && headers['transfer-encoding'] === undefined) return EMPTY_BODY;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    incoming.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= LARGEST_BODY_BYTES) pieces.push(piece);
      else resolve('too large');
    });
    incoming.on('end', () =>
      resolve({ bytes: pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces) }),
    );
    incoming.on('error', () => resolve('aborted'));
    incoming.on('close', () => resolve('aborted'));
  });
}
