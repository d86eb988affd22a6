// What can come of an invocation: the types that the pool, its callers and API Gateway share.

import type { FunctionError } from './frames.ts';

/** The function ran. */
export type RunOutcome =
  /** `payload` is the JSON that the handler returned, or all that a streaming handler wrote, when nobody took chunks. */
  | { readonly outcome: 'succeeded'; readonly payload: Buffer }
  /** All chunks were handed on. */
  | { readonly outcome: 'streamed' }
  /** The handler threw, its process ended or its time was over; `streamed`: chunks had been handed on before. */
  | { readonly outcome: 'failed'; readonly error: FunctionError; readonly streamed: boolean };

/** Lambda did not take the invocation: no free environment, no such function, an event that is too large. */
export interface Rejection {
  readonly outcome: 'rejected';
  readonly errorType: 'TooManyRequestsException' | 'ResourceNotFoundException' | 'RequestTooLargeException';
  readonly message: string;
}

/**
 * Takes the bytes of a streamed answer as they come.
 * @returns false to stop the stream; `resume` lets it go on
 */
export type OnChunk = (bytes: Buffer, resume: () => void) => boolean;
