// Refuses an answer that Lambda would not carry in BUFFERED transfer, while the log can still say so.
import type { APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../../core/contract/service-error.ts';

/** The largest result of a function that is not streamed, in bytes (AWS Lambda quotas, invocation payload, synchronous). */
const LARGEST_BYTES = 6 * 1024 * 1024;

/**
 * Throws 500 `internal`: Lambda would put an error of its own in the place of such a result, and the log would hold a success
 * that nobody got.
 */
export function refuseTooLarge(result: APIGatewayProxyResult): void {
  // Escaped as JSON, a character takes six bytes at most.
  if (result.body.length * 6 < LARGEST_BYTES / 2) return;
  const bytes = new TextEncoder().encode(JSON.stringify(result)).byteLength;
  if (bytes <= LARGEST_BYTES) return;
  throw new ServiceError('internal', {
    reason: `the answer takes ${bytes} bytes, more than BUFFERED transfer carries`,
  });
}
