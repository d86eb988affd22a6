// What goes out and what comes back.

/** What to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most bytes of the answer's body. */
  readonly maxBytes: number;
  /** The total deadline: from the resolution of the name to the last byte of the answer. */
  readonly signal: AbortSignal;
}

/** What came back. Redirects are answers like any other: none is followed. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; of repeated headers what Node makes of them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Sends a request. Throws `HttpFailure`. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>;
