// The shapes that callers give and get. They repeat core/contract, because the package imports nothing; a type test holds both together.

/** Options of a client. */
export interface NeuronClientOptions {
  /** API key (back ends only) or JWT, sent as `Authorization: Bearer`. */
  readonly jwtOrApiKey?: string | undefined;
  /**
   * Where the service is, such as `https://abc.execute-api.eu-west-1.amazonaws.com/prod`.
   * @default the environment variable NEURON_BASE_URL where there is one, else `http://127.0.0.1:3000`
   */
  readonly baseURL?: string | undefined;
  /**
   * Replaces the platform's `fetch`.
   * @default globalThis.fetch
   */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of one call. */
export interface CallNeuronOptions {
  /** @default '' */
  readonly input?: string | undefined;
  /** Forces a new execution, past the exact and the semantic cache. */
  readonly bypassCache?: boolean | undefined;
  /** Returns the output as a string and nothing else. */
  readonly rawOutput?: boolean | undefined;
  /** More request headers. `Content-Type` is ignored; `Authorization` gives way to a token of this call or client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Token of this call only. */
  readonly jwtOrApiKey?: string | undefined;
}

/** What a neuron answers. */
export interface NeuronResponse {
  /** Absent when the run was stopped without output. */
  readonly output?: string;
  readonly fromCache: boolean;
  /** True when the run ended before its time. */
  readonly executionStopped: boolean;
}

/** The JSON body of an error as the service sends it. */
export interface NeuronErrorBody {
  readonly error: string;
  readonly statusCode: number;
  /** One of the service's codes, such as `rate_limited`. */
  readonly code: string;
  /** Whole seconds, with 429 and 503. */
  readonly retryAfter?: number;
  readonly executionId?: string;
}
