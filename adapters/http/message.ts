// Requests and answers over HTTP.
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Most bytes of the answer's body. */
  readonly maxBytes: number;
  /** Whether the body of an answer with a status is read; without it each is. The others are whole with their headers, and have no bytes. */
  readonly reads?: (status: number) => boolean;
  /** Bounds the whole exchange: from the resolution of the name to the last byte of the answer. */
  readonly signal: AbortSignal;
}

/** Redirects are answers like any other: none is followed. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. Node joins or drops repeated headers. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Sends a request. Throws `HttpFailure`. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>;

/** An answer whose body is still to be read. The caller must iterate it to its end, or close it. */
export interface OpenAnswer extends Omit<HttpAnswer, 'body'> {
  /**
   * The body as it comes, to be iterated once. Nothing is read ahead but the socket's buffer. Throws `HttpFailure` unless the body is
   * whole. Leaving the iteration early closes the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection, unless the body was read to its end. May be called at any time and again. */
  close(): void;
}

/** Sends a request and gives the answer as soon as its headers are there. Throws `HttpFailure`. */
export type OpenHttp = (request: Omit<HttpRequest, 'maxBytes' | 'reads'>) => Promise<OpenAnswer>;
