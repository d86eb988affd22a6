// The neutral types between the steps of a run and the surfaces: a surface parses requests, renders answers and errors, and encodes streams.

import type { ErrorCode } from '../contract/error-codes.ts';
import type { CacheResult } from '../contract/log-entry.ts';
import type {
  AssistantBlock,
  Conversation,
  EmbeddingWish,
  PassedAnswer,
  SealedReasoning,
  ToolCall,
} from '../conversation/conversation.ts';
import type { SentVariables } from '../conversation/variables/read-variables.ts';
import type { TokenUsage } from '../ports/providers.ts';
import type { JsonObject } from '../text/json.ts';

/** A request before parsing: every value of each query parameter, and the body as text. */
export interface UnparsedInvocation {
  readonly body: string | undefined;
  readonly bypassCache: readonly string[];
  readonly rawOutput: readonly string[];
  readonly accept: readonly string[];
  /** The headers by which a caller chooses the form of the vendor's interface; every value given. */
  readonly protocol?: ProtocolHeaders;
  readonly vendorVersion?: { readonly versions: readonly string[]; readonly betas: readonly string[] };
}

/** Headers of the Model Context Protocol; every value given. */
export interface ProtocolHeaders {
  readonly versions: readonly string[];
  readonly methods: readonly string[];
  readonly names: readonly string[];
  readonly origins: readonly string[];
}

/** The neuron that a request names in its path. */
export interface AddressedNeuron {
  readonly organization: string;
  readonly neuron: string;
  /** On an organization's URL the `model` that led to the neuron, which is none of the names above. */
  readonly chosen?: string | undefined;
  /** Present where an answer is never written, so that its length need not be said. */
  readonly countsTokens?: true | undefined;
  readonly maxInputBytes: number;
}

/** Members by which a call says whom or what it is for, unread. */
export interface CallLabels {
  /** `user`, else `metadata.user_id`. */
  readonly user?: unknown;
  readonly metadata?: JsonObject;
}

/** A parsed request. A surface may add members, which it alone reads. */
export interface Invocation {
  /** The text of the user's last turn. */
  readonly input: string;
  readonly conversation: Conversation;
  /** Present where vectors are asked for, and no text; the conversation is empty then. */
  readonly embedding?: EmbeddingWish;
  readonly bypassCache: boolean;
  /** The session that the body names. */
  readonly session?: string;
  /** The names that the body gives to its call; they count for keys alone that may do so. */
  readonly labels?: CallLabels;
  /** Values for variables as the body has them; those that were read are in the conversation. */
  readonly sentVariables?: SentVariables | undefined;
  /** True for an answer as server-sent events. */
  readonly stream: boolean;
  /** Paths of what the caller sent without any effect. */
  readonly leftOut?: readonly string[];
  /** Members of the request that the answer repeats. */
  readonly repeated?: object;
}

/** The outcome of a run, as far as a caller may see it. */
export interface RunResult {
  readonly output: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Output, calls and sealed thoughts in their order; absent without thoughts. */
  readonly blocks?: readonly AssistantBlock[] | undefined;
  /** Thoughts of the model as a text, where its neuron shows that. */
  readonly reasoningText?: string | undefined;
  /** The message that is passed on in place of all of these. */
  readonly passed?: PassedAnswer | undefined;
  /** The vectors of the caller's texts, in their order. */
  readonly vectors?: readonly Float32Array[] | undefined;
  readonly executionStopped: boolean;
  readonly cache: CacheResult;
  /** True where the neuron answers in JSON, by a schema of its own. */
  readonly isStructured?: boolean;
  /** True for a text that `maxTokens` cut. */
  readonly isCut?: boolean;
  /** Tokens of all model calls together; 0 for an answer from the cache. */
  readonly usage?: TokenUsage;
}

/** Figures shown to callers with an API key, or to all where the neuron says `receipt: true`. */
export interface Receipt {
  /** Integer microdollars; undefined when a price is unknown. */
  readonly costMicrodollars: number | undefined;
  readonly tokensInput: number;
  readonly tokensOutput: number;
}

/** One limit as its caller may see it. */
export interface RateLimitView {
  /** `SCOPE-METRIC-PERIOD`, such as `user-requests-1m`. */
  readonly name: string;
  readonly metric: 'requests' | 'tokens';
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** An answer before an adapter gives it the shape of its transport. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The facts about a request that its answer shows. */
export interface AnswerDetail<Parsed extends Invocation = Invocation> {
  readonly executionId: string;
  /** Absent for a neuron that takes no feedback. */
  readonly feedbackToken?: string | undefined;
  /** When the request came, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly invocation: Parsed;
  /** True for an answer from the cache, which used nothing. */
  readonly isCached?: boolean;
  /** Names of members that were left out of the request, in the form of `toLeftOutName`. */
  readonly leftOut?: readonly string[] | undefined;
  readonly receipt?: Receipt | undefined;
  readonly rateLimit?: RateLimitView | undefined;
}

/** The facts about a request that its error shows; `param` and `text` are those of the thrown error. */
export interface ErrorDetail<Parsed extends Invocation = Invocation> {
  readonly retryAfterMs?: number | undefined;
  readonly executionId?: string | undefined;
  /** In place of the code's own text. */
  readonly text?: string | undefined;
  /** The path of the wrong member, in the native names. */
  readonly param?: string | undefined;
  /** Shown with 429 alone. */
  readonly rateLimit?: RateLimitView | undefined;
  /** Absent where the request was rejected before it was parsed. */
  readonly invocation?: Parsed | undefined;
  readonly unparsed?: UnparsedInvocation;
}

/** The facts about a stream that are known before its first event. */
export interface StreamDetail {
  readonly executionId: string;
  readonly cache: CacheResult;
  readonly maySeeReceipt: boolean;
  readonly leftOut?: readonly string[] | undefined;
  readonly rateLimit?: RateLimitView | undefined;
}

/** One stream as the bytes of one surface. Texts are whole frames of `text/event-stream`. */
export interface StreamEncoder {
  text(text: string): string;
  toolCall(call: ToolCall): string;
  /** Absent where a form has no place for sealed thoughts. */
  reasoning?(reasoning: SealedReasoning): string;
  /** Absent where a form has no place for what a model thought, or shows that by `reasoning`. */
  reasoningText?(text: string): string;
  /** Takes an event of a message that is passed on. Absent where a form passes none on. */
  passed?(event: PassedAnswer): string;
  /** Takes the usage that the provider has reported so far; for forms that begin with it. */
  usage?(usage: TokenUsage): void;
  /** Everything that follows the last piece of the answer. */
  result(result: RunResult, receipt: Receipt | undefined): string;
  /** `error` is the answer that the request would have had. Nothing follows it. */
  error(error: Answer): string;
}

/** A form in which the service is spoken to; `Parsed` is an invocation with the members that only this surface reads. */
export interface Surface<Parsed extends Invocation = Invocation> {
  /** Throws `ServiceError` 400, 404 or 422. */
  parse(unparsed: UnparsedInvocation, addressed: AddressedNeuron): Parsed;
  /** The same for a neuron that passes requests of this form on; absent where no neuron does. */
  parsePassed?(unparsed: UnparsedInvocation, addressed: AddressedNeuron): Parsed;
  /** True where headers ask for a stream; false where they do not, or where only the body can. */
  acceptsStream(unparsed: UnparsedInvocation): boolean;
  /** True where the arguments of a call may be a text that is no JSON object; else such a run ends with `malformed_tool_call`. */
  readonly takesArgumentText: boolean;
  /** The caller's name of a member of the native form; the same where absent. */
  nameOf?(path: string, invocation: Parsed): string;
  renderAnswer(result: RunResult, detail: AnswerDetail<Parsed>): Answer;
  /** The status of `renderError`. */
  statusOf(code: ErrorCode): number;
  renderError(code: ErrorCode, detail: ErrorDetail<Parsed>): Answer;
  /** Status and headers of a stream, sent before its first event. */
  renderStreamHead(mode: 'live' | 'whole', detail: StreamDetail): Pick<Answer, 'status' | 'headers'>;
  /** A new encoder for each answer. */
  createEncoder(detail: AnswerDetail<Parsed>): StreamEncoder;
}
