// Port to model providers: one call with a conversation, its usage, and a closed set of failures.

import type { ReasoningEffort } from '../contract/reasoning-efforts.ts';
import type {
  AnswerSchema,
  EmbeddingInput,
  Message,
  PassedRequest,
  SystemBlock,
  TextPart,
  ThinkingWish,
  Thought,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../conversation/conversation.ts';
import type { EmbeddingInputType } from '../settings/flow-schema.ts';
import type { JsonObject } from '../text/json.ts';

/** One attempt of a model call. */
export interface ModelRequest {
  readonly model: string;
  /** The flow's own text, then the caller's. */
  readonly system: readonly SystemBlock[];
  /** Empty beside system texts alone. The last one may be the assistant's: the beginning of the answer. */
  readonly messages: readonly Message[];
  /** Tools of the caller; absent where there are none. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** The form of the answer, which the provider enforces by its own means. */
  readonly schema?: AnswerSchema;
  /** The answer is any JSON object; never beside a schema. */
  readonly json?: true;
  readonly reasoningEffort?: ReasoningEffort;
  /** Only where the step passes thoughts on. */
  readonly thinking?: ThinkingWish;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  /** False for at most one call of a tool; absent without tools. */
  readonly parallelToolCalls?: false;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly verbosity?: 'low' | 'high';
  readonly promptCacheKey?: string;
  /** The request of a caller that goes on as it is; the other members are what is known of it. Only for a provider that `passesOn`. */
  readonly passed?: PassedRequest & { readonly ownSystem?: string | undefined };
  /** The guardrail that the provider applies to the request and its answer. Only for one that `takesGuardrails`. */
  readonly guardrail?: { readonly id: string; readonly version: string };
  /** The trace of the caller, with the span of this attempt. */
  readonly traceparent?: string;
  /** Aborts at the attempt's timeout or the run's deadline, whichever is first. */
  readonly signal: AbortSignal;
}

/** A member that a provider may reject, apart from texts. */
export type RequestMember =
  | Exclude<keyof ModelRequest, 'system' | 'messages' | 'signal' | 'traceparent' | 'passed' | 'guardrail'>
  | 'dimensions';

/**
 * A part of a request that a provider has no place for and leaves out, since the answer means the same without it. Whatever would change the
 * meaning is rejected in its place.
 */
export type Omission = RequestMember | 'imageDetail' | 'cacheHints' | 'reasoning' | 'betas';

/** Tokens as the provider counted them. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from the provider's prompt cache. */
  readonly cachedInput?: number;
  /** The part of `input` that was written to the prompt cache for 5 minutes, or for as long as the provider decides. */
  readonly cacheWrite?: number;
  /** The part of `input` that was written to the prompt cache for 1 hour. */
  readonly cacheWrite1h?: number;
  /** The part of `output` spent on reasoning. */
  readonly reasoning?: number;
  /** Present where the provider counted something that none of these is: more may be charged than they say. */
  readonly isPartial?: true;
}

/**
 * `toolCalls`: whenever the model calls tools. `filtered`: a content filter or guardrail ended the answer. `other`: unknown whether
 * it is whole.
 */
export type FinishReason = 'stop' | 'toolCalls' | 'length' | 'filtered' | 'other';

/** A piece of an answer, in the order in which the model wrote it. */
export type AnswerBlock =
  | TextPart
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  | { readonly type: 'thought'; readonly thought: Thought };

export interface ModelResult {
  readonly text: string;
  /** Calls of the caller's tools; absent or empty for none. */
  readonly toolCalls?: readonly ToolCall[];
  /** Texts, calls and sealed thoughts of the answer in their order; absent without thoughts. */
  readonly blocks?: readonly AnswerBlock[];
  readonly finish: FinishReason;
  /** Undefined when the provider reported none. */
  readonly usage: TokenUsage | undefined;
  /** The exact model version as the provider reports it. */
  readonly modelVersion: string | undefined;
  /** The message itself, where the request was passed on. */
  readonly passed?: JsonObject;
}

/**
 * The events of a streamed attempt, in order: pieces of text (never empty, whole code points), whole calls of tools, whole sealed
 * thoughts, and last, once, the end. A sequence without an end throws. `opened`: the provider has begun to answer, and sent nothing yet; this does not end a
 * silence. `progress`: the provider works without output, such as on reasoning or half a call; this ends a silence, and carries the
 * usage reported so far. `passed`: an event of the provider's own, where the request was passed on; beside the others, which say what is known of it; `isPiece` for one with a part of the answer.
 */
export type ModelEvent =
  | { readonly type: 'opened' }
  | { readonly type: 'progress'; readonly usage?: TokenUsage | undefined }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  | { readonly type: 'thought'; readonly thought: Thought }
  | { readonly type: 'passed'; readonly event: JsonObject; readonly isPiece: boolean }
  | ({ readonly type: 'end' } & Pick<ModelResult, 'finish' | 'usage' | 'modelVersion' | 'passed'>);

/** `truncated`: the stream broke off, or held an error, after it had begun. Retries and the code depend on this alone. */
export type ProviderFailureKind =
  | 'timeout'
  | 'unavailable'
  | 'rate_limited'
  | 'quota_exhausted'
  | 'configuration'
  | 'rejected_input'
  | 'context_too_long'
  | 'malformed_answer'
  | 'truncated';

/**
 * Failures that count towards opening a circuit. A timeout does not: the provider was reached, and a long request can cause it. A
 * connection that is not made in time is `unavailable`.
 */
export const OPENS_CIRCUIT: ReadonlySet<string> = new Set<ProviderFailureKind>([
  'unavailable',
  'rate_limited',
  'quota_exhausted',
  'malformed_answer',
  'truncated',
]);

/** The provider's own words. They may quote the request, and are redacted before they are logged. */
export interface ProviderExplanation {
  /** The provider's name for the error. */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** Thrown by providers. A class, to distinguish a failure from a defect; its own `message` holds no text of the provider. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind;
  /** The provider's HTTP status, for the log. */
  readonly status: number | undefined;
  /** The provider's own Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** How the operator can solve it, as constant text of ours, for the log. */
  readonly remedy: string | undefined;
  /** Private, so that nothing that prints or serializes the error shows it. */
  readonly #explanation: ProviderExplanation;
  /** The name of the secret whose value the provider rejected. */
  readonly secret: string | undefined;
  /** The members that the provider rejected; empty where it names none. */
  readonly members: readonly RequestMember[];
  /** The usage that was reported before the failure: by a stream, or by other calls of the same attempt. */
  readonly usage: TokenUsage | undefined;
  /** True where the model wrote what its provider cannot read: this says nothing about the provider's health, and `usage` is final. */
  readonly isOfModel: boolean;
  /** True when nothing came until the timeout: another attempt at the same model may take as long. */
  readonly wasSilent: boolean;

  constructor(
    kind: ProviderFailureKind,
    detail: {
      readonly status?: number | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly remedy?: string | undefined;
      readonly explanation?: ProviderExplanation;
      readonly secret?: string;
      readonly members?: readonly RequestMember[] | undefined;
      readonly usage?: TokenUsage | undefined;
      readonly isOfModel?: boolean;
      readonly wasSilent?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(`the provider failed: ${kind}`, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.status = detail.status;
    this.retryAfterMs = detail.retryAfterMs;
    this.remedy = detail.remedy;
    this.#explanation = detail.explanation ?? {};
    this.secret = detail.secret;
    this.members = detail.members ?? [];
    this.usage = detail.usage;
    this.isOfModel = detail.isOfModel ?? false;
    this.wasSilent = detail.wasSilent ?? kind === 'timeout';
  }

  get explanation(): ProviderExplanation {
    return this.#explanation;
  }
}

/** A part of a request that a provider's prompt cache may hold. */
export type CachedPart = 'tools' | 'system' | 'messages';

/** A configured provider of one organization. */
export interface ModelProvider {
  /** One attempt. Throws `ProviderFailure`. */
  generate(request: ModelRequest): Promise<ModelResult>;
  /**
   * One attempt whose answer comes in pieces, to be iterated once; it begins with the iteration. Throws `ProviderFailure`, also in place
   * of the end: as `generate` until the answer has begun, then (status 200) `truncated` for every end but the provider's own, with the
   * usage that was reported; `timeout` where `signal` aborts. Nothing is read ahead; ending the iteration closes the connection.
   * Absent where a provider gives its answers whole.
   */
  stream?(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** The parts of a request that it leaves out; none where absent. */
  omissionsOf?(request: Omit<ModelRequest, 'signal'>): readonly Omission[] | Promise<readonly Omission[]>;
  /** The parts that it caches for later calls only where they are marked, by the model's name; none where absent. */
  cacheMarksOf?(model: string): readonly CachedPart[];
  /** True for one that takes requests for messages as callers write them. */
  readonly passesOn?: true;
  /** True for one that applies guardrails; a request that has one goes to no other. */
  readonly takesGuardrails?: true;
  /** True where its API enforces no `json`: it is asked for in words, and the answer has to be checked. */
  readonly asksForJson?: true;
}

/** One attempt of a call for vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  /** At least one. */
  readonly inputs: readonly EmbeddingInput[];
  /** Undefined for as many as the model makes by itself. */
  readonly dimensions: number | undefined;
  /** The use of the vectors, for models that tell uses apart. */
  readonly inputType?: EmbeddingInputType | undefined;
  /** The trace of the caller, with the span of this attempt. */
  readonly traceparent?: string;
  readonly signal: AbortSignal;
}

/** The vectors of all inputs, in their order, and their usage. */
export interface Embeddings {
  /** One for each input, all of one length, which is that of the request where it has one; finite numbers, not all zero. */
  readonly vectors: readonly (readonly number[])[];
  /** For all inputs together, as the provider counted them; undefined when it reported none. */
  readonly tokensInput: number | undefined;
  /** The exact model version as the provider reports it. */
  readonly modelVersion?: string | undefined;
}

/** A configured provider of one organization that turns texts into vectors. */
export interface EmbeddingProvider {
  /** True where an input may be the ids of its tokens. */
  readonly takesTokens?: boolean;
  /**
   * One attempt, never repeated: the vectors of all inputs or none, however many calls it takes. Throws `ProviderFailure`, also for
   * vectors of another form; `usage` is what calls have used that were made before one failed.
   */
  embed(request: EmbeddingRequest): Promise<Embeddings>;
}
