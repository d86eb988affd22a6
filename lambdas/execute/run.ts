// The record of one request: what its steps have come to so far, which is all that its end knows.
import type { Readable } from 'node:stream';
import type { Admission, ExecutionRequest } from '../../adapters/apigateway/proxy-event.ts';
import type { CacheLookup, StartedLookup } from '../../core/cache/lookup.ts';
import type { ServiceError } from '../../core/contract/service-error.ts';
import type { FlowContext, FlowPorts, FlowResult } from '../../core/flow/run.ts';
import type { RequestGuards } from '../../core/guards/request-guards.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { EntryFacts, LogSubject } from '../../core/logs/build-entry.ts';
import type { Lease, MaskPlace, RecordKey } from '../../core/ports/idempotency.ts';
import type { OpenSettings, UsableSettings } from '../../core/settings/usable-settings.ts';
import type { VersionContent } from '../../core/settings/variables/version-content.ts';
import type { Answer, Invocation } from '../../core/surfaces/surface.ts';

export type { ExecutionPorts } from './compose.ts';

/** A version of a neuron, its flow parsed. */
export interface FoundVersion extends VersionContent {
  readonly id: string;
  /** The name that was filled in for `{{model}}`; absent where the flow passes none on. */
  readonly model?: string;
  /** The caller's side of the rollout that is going on; absent without one, and for a preview. */
  readonly rollout?: NonNullable<EntryFacts['run']>['rollout'];
}

/** A lease of this request on the record of its idempotency key; that of a place among runs at once is its budget's. */
export interface HeldLease extends Lease {
  readonly kind: 'held';
  readonly key: RecordKey;
}

/** A growing list: providers leave out what they have no place for when they are asked. */
export interface LeftOut {
  /** Native paths. */
  add(paths: readonly string[]): void;
  /** As the caller knows them. */
  names(): readonly string[];
}

/** The call that a request is for: who was let in, and what is to be run. */
export interface Call {
  readonly request: ExecutionRequest;
  /** By the monotonic clock. */
  readonly startedMs: number;
  /** Whose log the request belongs in; undefined for a neuron that does not exist. */
  readonly subject: LogSubject | undefined;
  readonly admission: Admission;
  readonly settings: OpenSettings;
  /** Aborts when the neuron's deadline is reached. */
  readonly deadline: FlowContext['deadline'];
  readonly invocation: Invocation;
  readonly version: FoundVersion;
  /** Names of members that were left out of the request so far. */
  readonly leftOut: LeftOut;
  /** Undefined for a neuron without guards. */
  readonly guards?: RequestGuards;
  /** The answer in place of a run, for a request that a guard blocks. */
  readonly blockedText?: string;
}

/** A call that its limits have room for. */
export interface AdmittedCall extends Call {
  readonly budget: Budget;
  readonly flowPorts: FlowPorts;
}

/** A call that is answered next: from the cache, or by a run of its flow. */
export interface ReadyCall extends AdmittedCall {
  /** Absent for a neuron that takes no feedback. */
  readonly feedbackToken?: string;
  readonly lookup: CacheLookup;
}

/** One request, as far as it has come. */
export interface Run {
  /** On an organization's URL it becomes that of the neuron that its body names. */
  request: ExecutionRequest;
  readonly startedMs: number;
  leftOut?: LeftOut;
  /** The key of a caller of an organization's URL, for the entry of a neuron that refuses it. */
  provenKeyId?: string;
  /** Attempts of model calls whose result is not there yet, each with the maximum that it can use. */
  attempts: FlowResult['modelCalls'][number][];
  /** Reservations that were sent to the counters. */
  limitWrites?: number;
  /** Counters that were read in place of a reservation. */
  limitReads?: number;
  subject: LogSubject | undefined;
  admission?: Admission;
  settings?: UsableSettings;
  deadline?: FlowContext['deadline'];
  /** Undefined for a request without an idempotency key. */
  lease?: HeldLease | undefined;
  invocation?: Invocation;
  /** True once guards by services were asked about the request. */
  isAsked?: boolean;
  /** True once they have judged it: before, its texts are in no log. */
  isJudged?: boolean;
  /** Set once they have inspected the request. */
  guards?: RequestGuards;
  /** Known before the version is read. */
  side?: EntryFacts['side'];
  version?: FoundVersion;
  caching?: StartedLookup;
  budget?: Budget;
  /** Those of the call itself. */
  tags?: EntryFacts['tags'];
  lookup?: CacheLookup;
  /** Undefined where the answer came from the cache. */
  result?: FlowResult | undefined;
  /** Set where the run repeats another for a shadow. */
  readonly shadow?: EntryFacts['shadow'];
  /** Set by `endRun`, once: from then on the run calls no further model, and changes this record for nobody. */
  ended?: Promise<EndedRun>;
}

/** How a request ends. An answer is rendered when it is needed: a stream that nobody stores has none in one piece. */
export type Outcome =
  | {
      readonly kind: 'run' | 'models' | 'count' | 'feedback';
      readonly answer: () => Answer;
      /** Its form for the idempotency key, where that is another one: with masks. */
      readonly stored?: () => Answer;
      /** True for a stream whose reader has left. The log has a success all the same: the model has answered, and is paid for. */
      readonly hasReaderLeft?: boolean;
    }
  | {
      readonly kind: 'replay';
      readonly answer: () => Answer;
      readonly original: ReplayedAnswer;
      readonly masks?: readonly MaskPlace[] | undefined;
    }
  | { readonly kind: 'error'; readonly error: ServiceError };

/** The log's facts about an answer that was given before. */
export type ReplayedAnswer = Pick<EntryFacts, 'code' | 'status' | 'replay'>;

/** An answer that may leave. */
export interface ServedAnswer {
  readonly answer: () => Omit<Answer, 'body'> & { readonly body: string | Readable };
  /** Begins the work after the answer, unless it has begun, and resolves when it is done; done once, however often it is called. Never rejects. */
  readonly finish: () => Promise<void>;
}

/** A request that is accounted for. */
export interface EndedRun extends ServedAnswer {
  readonly answer: () => Answer;
  /** The error behind the answer. */
  readonly error: ServiceError | undefined;
}
