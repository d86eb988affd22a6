// The payloads and log lines of runs that end without a result, in Lambda's words.

import type { FunctionError } from './frames.ts';

/** Largest payload of a buffered answer and of an event, in bytes (Lambda quotas; the number is in Lambda's errors). */
export const LARGEST_PAYLOAD_BYTES = 6_291_556;

/** The run took longer than the function's timeout and was killed. */
export function timedOut(requestId: string, seconds: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

/** The process ended while the run was on: `reason` is for example `exit status 1` or `signal: killed`. */
export function exited(requestId: string, reason: string): FunctionError {
  const text =
    reason === 'exit status 0'
      ? 'Runtime exited without providing a reason'
      : `Runtime exited with error: ${reason}`;
  return { errorType: 'Runtime.ExitError', errorMessage: `RequestId: ${requestId} Error: ${text}` };
}

/** The handler returned more than Lambda takes. */
export function answerTooLarge(): FunctionError {
  return {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${LARGEST_PAYLOAD_BYTES} bytes).`,
  };
}
