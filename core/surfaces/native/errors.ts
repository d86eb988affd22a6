// Renders an error: status, headers and the JSON body that every error of the service has.
import { carriesRetryAfter, ERROR_CODES, type ErrorCode } from '../../contract/error-codes.ts';
import { errorHeaders, retryAfterSeconds } from '../headers.ts';
import type { Answer, ErrorDetail } from '../surface.ts';

/** The JSON body of every error; `retryAfter` in seconds with 429 and 503. */
export interface ErrorBody {
  readonly error: string;
  readonly statusCode: number;
  readonly code: ErrorCode;
  readonly retryAfter?: number;
  readonly executionId?: string;
}

export function renderError(code: ErrorCode, detail: ErrorDetail): Answer {
  const { status, text } = ERROR_CODES[code];
  const retryAfter = carriesRetryAfter(code) ? retryAfterSeconds(detail.retryAfterMs) : undefined;
  const body: ErrorBody = {
    error: detail.text ?? text,
    statusCode: status,
    code,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(detail.executionId === undefined ? {} : { executionId: detail.executionId }),
  };
  return {
    status,
    headers: errorHeaders(status, retryAfter, detail),
    body: JSON.stringify(body),
  };
}
