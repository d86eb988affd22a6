// Why an HTTP exchange gave no answer.

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
