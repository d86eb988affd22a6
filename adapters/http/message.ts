// What goes out and what comes back.

/** What to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
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

/** What came back, with a body that is still to be read. Whoever was given one iterates it to its end or closes it. */
export interface OpenAnswer extends Omit<HttpAnswer, 'body'> {
  /**
   * The body as it comes, to be iterated once. Nothing is read ahead but what the socket buffers. Throws `HttpFailure`: a body ends
   * without one only where it is whole. Leaving the iteration early closes the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, unless the body was read to its end. May be called at any time and again. */
  close(): void;
}

/** Sends a request and gives the answer as soon as its headers are there. Throws `HttpFailure`. */
export type OpenHttp = (request: Omit<HttpRequest, 'maxBytes'>) => Promise<OpenAnswer>;
