// The context and the outcome of a step. A step changes nothing itself: the run applies its outcome.

import type { LoggedModelCall } from '../contract/log-entry.ts';
import type { ServiceError } from '../contract/service-error.ts';
import type {
  AssistantBlock,
  Conversation,
  EmbeddingWork,
  PassedAnswer,
  ToolCall,
} from '../conversation/conversation.ts';
import type { Budget } from '../limits/budget.ts';
import type { Random, ValidateJson } from '../ports/platform.ts';
import type {
  EmbeddingProvider,
  ModelProvider,
  ModelResult,
  Omission,
  RequestMember,
  TokenUsage,
} from '../ports/providers.ts';
import type { CallModel, Step } from '../settings/flow-schema.ts';
import type { Clock } from '../time/clock.ts';
import type { Deadline } from '../time/deadline.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';
import type { AnswerSink, AttemptSink } from './stream-attempt.ts';
import type { TemplateValues } from './template.ts';

/** A provider of the organization as a run uses it. */
export interface ConfiguredProvider {
  readonly provider: ModelProvider;
  /** Absent for one that makes only texts. */
  readonly embedding?: EmbeddingProvider | undefined;
  /** The organization's timeout of one attempt. */
  readonly timeoutMs: number | undefined;
}

/** An answer as guards leave it. */
export interface InspectedAnswer {
  readonly result: ModelResult;
  readonly blocked?: { readonly text: string | undefined };
}

export interface GuardedSink {
  readonly sink: AttemptSink;
  /** The text in the place of a blocked answer of which nothing has left. */
  blockedText(): string | undefined;
}

/** Judges what models answer, before a later step, the caller, the log or the cache has it. */
export interface AnswerGuards {
  /** `isJson`: the text is JSON, and stays JSON. `blocked`: none of it may be served; `text` is served in its place. Rejects where a service cannot be asked. */
  inspect(result: ModelResult, isJson: boolean): Promise<InspectedAnswer>;
  /** The same sink, which gets only what may leave. Throws `guard_blocked` at what may not. */
  watch(sink: AttemptSink): GuardedSink;
  /** True for words of a provider that a log may not have: a guard that acts finds something in them, or must be asked first. */
  withholds(words: string): boolean;
  /** The same for the name of a model that a provider says: no service is asked about names. */
  withholdsName(name: string): boolean;
}

export interface FlowPorts {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly breakers: CircuitBreakers;
  /** Integer microdollars of one attempt, rounded up; null when the model has no price. */
  costOf(provider: string, model: string, usage: TokenUsage): number | null;
  /** Reserves the maximum that an attempt may spend. Throws the `ServiceError` that ends the run when limits leave no room. */
  readonly reserveAttempt: Budget['reserveAttempt'];
  readonly validateJson: ValidateJson;
  /** A provider by its name within the organization; undefined when there is none. */
  findProvider(name: string): ConfiguredProvider | undefined;
  /** Receives the served text while its model writes it; absent when the answer is served whole. */
  readonly sink?: AnswerSink;
  /** Absent where no guard looks at answers. */
  readonly guards?: AnswerGuards;
  /** The header for the next attempt, with a span of its own; absent when the caller sent no trace. */
  readonly nextTraceparent?: () => string;
  /** The name of a provider of this neuron under which its thoughts leave and come back; absent where they do not leave. */
  readonly sealOf?: (provider: string) => string;
  /** Told of what a provider leaves out of a request, before it is asked, and of the members that the caller has set. */
  readonly leaveOut?: (omissions: readonly Omission[], ofCaller: ReadonlySet<RequestMember>) => void;
  /** Called before each attempt, with the maximum that it can use. Throws where no attempt may be made. */
  readonly onAttempt?: (attempt: ModelCallRecord) => void;
}

/** State that steps pass on. */
export interface FlowState {
  /** The system text of later model calls. */
  readonly system: string | undefined;
  /** The latest model output. */
  readonly output: string | undefined;
  /** The blocks of that output, in their order; absent without thoughts for the caller. */
  readonly blocks?: readonly AssistantBlock[] | undefined;
  /** Thoughts of the model as a text, where callers may read it. */
  readonly reasoningText?: string | undefined;
  /** The message that is passed on in their place. */
  readonly passed?: PassedAnswer | undefined;
}

/** The end of a run that serves its latest output. */
export function servedOutput({ output = '', blocks, reasoningText, passed }: FlowState): FlowEnd {
  return { kind: 'done', output, stopped: false, blocks, reasoningText, passed };
}

/** Who calls which neuron, for splits that keep a caller on one branch. */
export interface FlowCaller {
  /** `ORGANIZATION/NEURON`. */
  readonly neuron: string;
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly sourceIp: string;
  readonly executionId: string;
}

export interface StepContext {
  readonly conversation: Conversation;
  /** Only where vectors are asked for. */
  readonly embedding?: EmbeddingWork | undefined;
  readonly caller?: FlowCaller | undefined;
  readonly state: FlowState;
  readonly values: TemplateValues;
  readonly deadline: Deadline;
  readonly ports: FlowPorts;
  /** True for a model call whose text no later step of this run can change, stop or replace. */
  servesText(call: CallModel): boolean;
}

interface StepTrace {
  readonly input?: string;
  readonly decision?: string;
  readonly matched?: readonly string[];
  readonly output?: string;
}

/** One executed step. Texts are raw: `logging.bodies` is applied before they are stored. */
export interface TracedStep extends StepTrace {
  readonly type: string;
  /** Milliseconds since the run began. */
  readonly atMs: number;
}

/** A model call of a run, over all its attempts. */
export type ModelCallRecord = LoggedModelCall;

/** How a run ends. `output` is undefined when it was stopped without one. */
export type FlowEnd =
  | {
      readonly kind: 'done';
      readonly output: string | undefined;
      readonly stopped: boolean;
      /** Calls of the caller's tools; absent or empty for none. */
      readonly toolCalls?: readonly ToolCall[];
      /** Texts, calls and sealed thoughts of the answer in their order; absent without thoughts for the caller. */
      readonly blocks?: readonly AssistantBlock[] | undefined;
      /** Thoughts of the model as a text, where callers may read it. */
      readonly reasoningText?: string | undefined;
      /** The message that is passed on in their place. */
      readonly passed?: PassedAnswer | undefined;
      /** The vectors of the caller's texts, in their order; `output` describes them. Absent for every other run. */
      readonly vectors?: readonly Float32Array[];
    }
  | { readonly kind: 'failed'; readonly rejection: ServiceError };

export interface StepOutcome {
  readonly trace: StepTrace;
  /** Members to replace. */
  readonly state?: Partial<FlowState>;
  /** A list that is run before the rest. */
  readonly next?: readonly Step[] | undefined;
  readonly end?: FlowEnd;
  readonly modelCalls?: readonly ModelCallRecord[];
}

/** A step's name: the only member of its object. */
export type StepName = Step extends infer S ? (S extends Step ? keyof S : never) : never;

export type SettingsOf<Name extends StepName> = Extract<Step, Readonly<Record<Name, unknown>>>[Name];

/** Runs one step. What it throws ends the run: a `ServiceError` with its code, anything else as `internal`. */
export type RunStep<Settings> = (
  settings: Settings,
  context: StepContext,
) => StepOutcome | Promise<StepOutcome>;
