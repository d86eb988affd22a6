// The public types. They repeat core/contract, because the package imports nothing; a type test keeps both equal.
import type {
  NeuronMessage,
  NeuronParameters,
  NeuronResponseFormat,
  NeuronTool,
  NeuronToolChoice,
} from './conversation.ts';

/** An API key (back ends only) or a JWT, or a function that returns the one to send; undefined and an empty string of it mean none. */
export type TokenSource = string | (() => string | undefined | Promise<string | undefined>);

export interface NeuronClientOptions {
  /**
   * Sent as `Authorization: Bearer`. A function is called before every attempt, so that a front end can refresh its token; its errors
   * reach the caller unchanged. An empty string means none.
   * @default NEURON_API_KEY of the environment; nothing in browsers
   */
  readonly jwtOrApiKey?: TokenSource | undefined;
  /**
   * The address of the service, such as `https://abc.execute-api.eu-west-1.amazonaws.com/prod`.
   * @default NEURON_BASE_URL of the environment, else the address of the build, else `http://127.0.0.1:3000`; never the page's origin
   */
  readonly baseURL?: string | undefined;
  /**
   * Replaces the platform's `fetch`.
   * @default globalThis.fetch
   */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Milliseconds that a call may take, attempts and waits included; `Infinity` for no limit.
   * @default 300_000, which is longer than a neuron may run
   */
  readonly timeout?: number | undefined;
  /** How 429 and 503 are retried; `false` for never. */
  readonly retry?: RetryOptions | false | undefined;
}

/** When and how often a call is retried. The timeout covers all attempts. */
export interface RetryOptions {
  /** @default 2 */
  readonly maxRetries?: number | undefined;
  /**
   * Milliseconds. The n-th retry waits a random time up to this times 2^(n-1) (full jitter), on top of Retry-After.
   * @default 500
   */
  readonly baseDelay?: number | undefined;
  /**
   * Milliseconds. The limit of the random wait. For a longer Retry-After the error is thrown at once.
   * @default 20_000
   */
  readonly maxDelay?: number | undefined;
  /**
   * Retries calls without a response. The first one may have run and been counted. A call with an idempotency key, which cannot run twice,
   * is always retried.
   * @default false
   */
  readonly networkFailures?: boolean | undefined;
}

/** Values by name. */
export type NeuronVariables = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface PlainCallOptions {
  /** Tools of the caller, where the neuron accepts them; `runTools` runs them. */
  readonly tools?: readonly NeuronTool[] | undefined;
  /** Only together with `tools`. */
  readonly toolChoice?: NeuronToolChoice | undefined;
  /** The form that the answer must have, where the neuron accepts that. */
  readonly responseFormat?: NeuronResponseFormat | undefined;
  /** Sampling parameters, where the neuron accepts them. */
  readonly parameters?: NeuronParameters | undefined;
  /** Values for the variables that the neuron declares, by name. */
  readonly variables?: NeuronVariables | undefined;
  /** Forces a new execution, past the exact and the semantic cache. */
  readonly bypassCache?: boolean | undefined;
  /** Returns only the output, as a string. */
  readonly rawOutput?: boolean | undefined;
  /** More request headers. `Content-Type` is ignored; a token of this call or client replaces `Authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Token of this call only. */
  readonly jwtOrApiKey?: TokenSource | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, in place of the client's. */
  readonly timeout?: number | undefined;
}

/** Makes retries safe: a key of your own, or one made for this call. Not both. */
type IdempotencyOptions =
  | {
      /**
       * 1 to 255 visible ASCII characters. For 24 hours the same request with the same key from the same caller gets the answer of the first
       * run, charged once; another request with it is an `IdempotencyMismatchError`.
       */
      readonly idempotencyKey?: string | undefined;
      readonly idempotent?: undefined;
    }
  | {
      readonly idempotencyKey?: undefined;
      /**
       * Makes a key for this call, the same for all of its retries.
       * @default false
       */
      readonly idempotent?: boolean | undefined;
    };

/** A version of a neuron, deployed or not, with its preview key: both or neither. */
type RevisionOptions =
  | { readonly revisionId: string; readonly key: string }
  | { readonly revisionId?: undefined; readonly key?: undefined };

/** One text, or a conversation: not both. */
type InputOptions =
  | {
      /** @default '' */
      readonly input?: string | undefined;
      readonly messages?: undefined;
    }
  | {
      readonly input?: undefined;
      /** Must end with a user's message or with tool results. */
      readonly messages: readonly NeuronMessage[];
    };

export type CallNeuronOptions = PlainCallOptions & InputOptions & RevisionOptions & IdempotencyOptions;

/** Resolves once the value is kept. Throws `NeuronError`: 409 where the answer has one for this metric, 410 where it is too late. */
export type SendFeedback = (metric: string, value: boolean | number, comment?: string) => Promise<void>;

/** Feedback by the token of an answer. */
export interface NeuronFeedback {
  readonly token: string;
  readonly metric: string;
  readonly value: boolean | number;
  /** Where the neuron takes comments. */
  readonly comment?: string | undefined;
  /** Token of this call only. */
  readonly jwtOrApiKey?: TokenSource | undefined;
}

/** The model's call of one of the caller's tools. */
export interface NeuronToolCall {
  /** Names the call in the message of role `tool` that holds its result. */
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The body of a success. */
export interface NeuronResponse {
  /** Absent when the run was stopped without output. */
  readonly output?: string;
  /** Calls of the caller's tools; `output` is then the text beside them. Absent without calls. */
  readonly toolCalls?: readonly NeuronToolCall[];
  readonly fromCache: boolean;
  /** True when a step stopped the run. */
  readonly executionStopped: boolean;
  /** By which `feedback` and `sendFeedback` name this answer; absent where the neuron takes no feedback. */
  readonly feedbackToken?: string;
  /**
   * Sends a value for a metric of the neuron: `await answer.feedback?.('helpful', true)`. Absent where the neuron takes no feedback. JSON does
   * not hold it: a page that gets the answer from a back end sends the token by `sendFeedback`.
   */
  readonly feedback?: SendFeedback;
  /** True for the answer of an earlier call with the same idempotency key; only that call was charged. Absent otherwise. */
  readonly replayed?: true;
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
