// The error with which a step ends a request: it has a code of the closed set.
import type { ErrorCode } from './error-codes.ts';

/**
 * Thrown by steps and ports. A class because Middy passes thrown values through and `instanceof` distinguishes ours from foreign ones.
 * `reason` and `cause` are for the operator's log only and never reach a caller.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  /** Milliseconds until the block ends; rendered as whole seconds, rounded up, at least 1. */
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;
  /** Told to the caller in place of the code's own text. Holds our words and paths of members, nothing that was sent. */
  readonly detail: string | undefined;
  /** The path of the wrong member, such as `messages[3].content`. */
  readonly param: string | undefined;

  constructor(
    code: ErrorCode,
    detail: {
      readonly retryAfterMs?: number;
      readonly reason?: string;
      readonly detail?: string;
      readonly param?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(code, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.retryAfterMs = detail.retryAfterMs;
    // Without a reason the log has the text that the caller was told.
    this.reason = withCause(detail.reason ?? detail.detail, detail.cause);
    this.detail = detail.detail;
    this.param = detail.param;
  }
}

/**
 * Adds the name of the cause, such as `TypeError` or `TimeoutError`, so that an operator can tell failures apart. Names are
 * constants of code; messages and stacks may quote a caller or a provider, and stay out.
 */
function withCause(reason: string | undefined, cause: unknown): string | undefined {
  if (cause === undefined) return reason;
  const name = cause instanceof Error && /^[A-Za-z0-9_.]{1,64}$/.test(cause.name) ? cause.name : typeof cause;
  if (reason === undefined) return name;
  // The reason of our own failures names them already.
  return cause instanceof Error && !OWN_FAILURE.test(name) ? `${reason} (${name})` : reason;
}

const OWN_FAILURE = /^ServiceError$|Failure$/;

/** Every thrown value as a `ServiceError`: a foreign one becomes `internal`, with its name as the reason for the log. */
export function toServiceError(thrown: unknown): ServiceError {
  return thrown instanceof ServiceError ? thrown : new ServiceError('internal', { cause: thrown });
}
