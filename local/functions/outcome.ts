// The outcomes of an invocation, and the failures in Lambda's words.

import type { FunctionError } from './frames.ts';

/** The function ran. */
export type RunOutcome =
  /** `payload` is the JSON that the handler returned, or everything that a streaming handler wrote without `onChunk`. */
  | { readonly outcome: 'succeeded'; readonly payload: Buffer }
  /** `onChunk` got all bytes. */
  | { readonly outcome: 'streamed' }
  /** The handler threw, its process ended or it timed out; `streamed`: `onChunk` got bytes before. */
  | { readonly outcome: 'failed'; readonly error: FunctionError; readonly streamed: boolean };

/** Lambda did not take the invocation: no free environment, no such function, an event that is too large. */
export interface Rejection {
  readonly outcome: 'rejected';
  readonly errorType: 'TooManyRequestsException' | 'ResourceNotFoundException' | 'RequestTooLargeException';
  readonly message: string;
}

/**
 * Takes the bytes of a streamed answer as they come.
 * @returns false to pause the stream until `resume` is called
 */
export type OnChunk = (bytes: Buffer, resume: () => void) => boolean;

/** Limit of buffered answers and of events (Lambda quotas; the number is in Lambda's errors). */
export const MAX_PAYLOAD_BYTES = 6_291_556;

/** The run was killed at the function's timeout. */
export function timedOut(requestId: string, seconds: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

/** The process ended during the run. @param reason for example `exit status 1` or `signal: killed` */
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
    errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_PAYLOAD_BYTES} bytes).`,
  };
}
