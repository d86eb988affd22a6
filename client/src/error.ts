// The errors of a call: one for a failed response, one for no response.

/**
 * An answer that is not a success. A class so that it is an `Error` with a stack. Network failures, and errors in the caller's code, have
 * no `statusCode`.
 *
 * @example
 * try {
 *   await client.callNeuron('acme', 'support', { input: 'Hello' });
 * } catch (error) {
 *   if (error instanceof NeuronError && error.statusCode === 429) console.log(error.retryAfter);
 * }
 */
export class NeuronError extends Error {
  /** The service's message. */
  declare readonly error: string;
  declare readonly statusCode: number;
  /** The service's code, such as `rate_limited`; undefined for a response of a proxy in between. */
  declare readonly code: string | undefined;
  /** Seconds to wait before a retry. */
  declare readonly retryAfter: number | undefined;
  /** Names the run in the service's log. */
  declare readonly executionId: string | undefined;

  constructor(detail: {
    readonly error: string;
    readonly statusCode: number;
    readonly code: string | undefined;
    readonly retryAfter: number | undefined;
    readonly executionId: string | undefined;
  }) {
    super(detail.error);
    Object.assign(this, detail, { name: 'NeuronError' });
  }
}

/** The idempotency key was used for another request. No retry helps: use another key. */
export class IdempotencyMismatchError extends NeuronError {}

/** Why there was no answer. */
export type NoAnswerReason = 'network' | 'timeout' | 'abort' | 'redirect';

const NAMES = {
  network: 'NetworkError',
  timeout: 'TimeoutError',
  abort: 'AbortError',
  redirect: 'RedirectError',
} as const satisfies Record<NoAnswerReason, string>;

/**
 * A call without an answer of the service. A class so that it is an `Error` with a stack; it has no `statusCode`. `name` is the platform's
 * name for such an error (`TimeoutError`, `AbortError`), `cause` is the platform's error or the reason of the caller's signal.
 */
export class NoAnswerError extends Error {
  declare readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { name: NAMES[reason], reason });
  }
}

/**
 * A stream that ended without its result: its text is incomplete. A class so that it is an `Error` with a stack; it has no `statusCode`,
 * since the status was that of a success.
 */
export class IncompleteStreamError extends Error {
  /** The text before the cut. */
  declare readonly text: string;
  /** Names the run in the service's log. */
  declare readonly executionId: string | undefined;

  constructor(text: string, executionId: string | undefined, cause?: unknown) {
    super('The stream was cut: it ended without a result.', cause === undefined ? undefined : { cause });
    Object.assign(this, { name: 'IncompleteStreamError', text, executionId });
  }
}
