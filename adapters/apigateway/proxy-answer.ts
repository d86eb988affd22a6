// Renders a neutral answer as the result of a REST API proxy integration.
import type { APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '../../core/contract/service-error.ts';
import type { Answer } from '../../core/surfaces/surface.ts';
import { utf8Bytes } from '../../core/text/utf8.ts';

export function toProxyResult(answer: Answer): APIGatewayProxyResult {
  return { statusCode: answer.status, headers: { ...answer.headers }, body: answer.body };
}

/** Max. size of the result of a function that is not streamed, in bytes (AWS Lambda quotas, invocation payload, synchronous). */
const MAX_BYTES = 6 * 1024 * 1024;

/**
 * Throws 500 `internal`: Lambda would put an error of its own in the place of such a result, and the log would hold a success
 * that nobody got.
 */
export function rejectTooLarge(result: APIGatewayProxyResult): void {
  // Escaped as JSON, a character takes six bytes at most.
  if (result.body.length * 6 < MAX_BYTES / 2) return;
  const bytes = utf8Bytes(JSON.stringify(result));
  if (bytes <= MAX_BYTES) return;
  throw new ServiceError('internal', {
    reason: `the answer takes ${bytes} bytes, more than BUFFERED transfer carries`,
  });
}
