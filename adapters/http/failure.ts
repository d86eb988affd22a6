// Why an HTTP exchange gave no answer.
import type { ExchangeFailure } from './exchange.ts';

/**
 * `refused`: the address policy, before anything was sent. `unreachable`: no name, no connection or no trust in the
 * certificate; nothing was sent. `aborted`: the caller's signal. `cut`: the connection ended after it was made and before the
 * answer was whole. `too_large`: more bytes than the caller takes. `malformed`: not HTTP, or encoded though that was not asked for.
 */
export type HttpFailureKind = 'refused' | 'unreachable' | 'aborted' | 'cut' | 'too_large' | 'malformed';

/**
 * Thrown by requests. A class so that a failure of the network is distinguished from a defect. The message names the host and nothing
 * else: paths, queries, headers and bodies may hold secrets.
 */
export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;

  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HttpFailure';
    this.kind = kind;
  }
}

/** `signal` is the one that bounded the exchange: its reason is the cause of `aborted`. */
export function toHttpFailure(failure: ExchangeFailure, hostname: string, signal: AbortSignal): HttpFailure {
  switch (failure.kind) {
    case 'aborted':
      return new HttpFailure('aborted', `the request to ${hostname} was given up`, signal.reason);
    case 'late':
      // The connection alone: the signal bounds the answer.
      return new HttpFailure('unreachable', `${hostname} could not be connected to in time`);
    case 'closed':
      return toCut(hostname);
    case 'error':
      return fromError(failure.error, hostname, failure.isConnected);
  }
}

function fromError(error: Error, hostname: string, isConnected: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (!isConnected) return new HttpFailure('unreachable', `${hostname} could not be connected to`, error);
  // Node's HTTP parser names its errors HPE_…; the end of the connection within a body is one of them.
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'
    ? new HttpFailure('malformed', `${hostname} does not speak HTTP`, error)
    : toCut(hostname, error);
}

function toCut(hostname: string, error?: Error): HttpFailure {
  return new HttpFailure('cut', `${hostname} ended the connection before its answer was whole`, error);
}
