// The log entry: one per request that reaches a function and names an existing neuron.
import type { ErrorCode } from './error-codes.ts';

/** The result of the response cache for a run. */
export type CacheResult = 'exact' | 'semantic' | 'miss' | 'bypass' | 'off';

export type LogOutcome = 'success' | 'stopped' | 'failed' | 'refused';

/** The part of the response cache that failed. No run fails for it. */
export type CacheFailure = 'read' | 'embedding' | 'search';

/** How a caller was let in. */
export type Authentication = 'public' | 'referer' | 'ip' | 'apiKey' | 'jwt';

/** One of several attempts of a model call. Times in milliseconds. */
export interface LoggedAttempt {
  readonly atMs: number;
  readonly latencyMs: number;
  /** Absent for the attempt that answered. */
  readonly failure?: string;
}

/** Parts of a call's tokens as its provider reported them; absent for none. */
export interface LoggedTokenParts {
  /** The part of `tokensInput` that was read from the provider's prompt cache. */
  readonly tokensCacheRead?: number;
  /** The part of `tokensInput` that was written to the prompt cache for 5 minutes, or for as long as the provider decides. */
  readonly tokensCacheWrite?: number;
  /** The part of `tokensInput` that was written to the prompt cache for 1 hour. */
  readonly tokensCacheWrite1h?: number;
  /** The part of `tokensOutput` that was spent on reasoning. */
  readonly tokensReasoning?: number;
}

/** One model call of a run, over all its attempts. */
export interface LoggedModelCall extends LoggedTokenParts {
  readonly provider: string;
  readonly model: string;
  readonly modelVersion: string | undefined;
  readonly finish: string;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  /** Integer microdollars; null when the price is unknown. */
  readonly costMicrodollars: number | null;
  /** True when an attempt's usage had to be estimated. */
  readonly estimated: boolean;
  readonly attempts: number;
  readonly latencyMs: number;
  /** The attempts of a call that was tried again; their times count from the beginning of the call. */
  readonly attemptTimes?: readonly LoggedAttempt[];
  /** The limit of tokens that cut the answer, where it was not the caller's: that of the step, its default, or the model's. */
  readonly cutAt?: number;
  /** Milliseconds until the first piece of the answer of a streamed call. */
  readonly firstTextMs?: number;
}

/** A text as `logging.bodies` lets it be kept. */
export type LoggedText =
  | { readonly kind: 'full'; readonly text: string; readonly bytes: number; readonly cut?: true }
  | {
      readonly kind: 'hash';
      readonly hash: string;
      readonly bytes: number;
      /** Id of the key: only hashes of one key can be compared. Absent in entries of before keys had ids. */
      readonly key?: string;
    };

export interface LoggedFinds {
  readonly type: string;
  readonly count: number;
  /** Digests of at most ten values: equal ones of an organization have one, by its log key. Absent unless they are asked for. */
  readonly fingerprints?: readonly string[];
}

/** The finds of a guard in one place of a request or an answer; never a value. */
export interface LoggedGuard {
  readonly guard: string;
  readonly type: string;
  readonly stage: string;
  /** Index among the turns; absent for what is no turn. */
  readonly message?: number;
  readonly action: string;
  readonly finds: readonly LoggedFinds[];
  /** Milliseconds that a service took; absent for guards in the process. */
  readonly ms?: number;
  /** Why a service did not judge the texts, which then went on only where its settings let them. */
  readonly notJudged?: string;
}

/** A judgement of a caller on an answer. */
export interface LoggedFeedback {
  /** The execution id of the answer. */
  readonly of: string;
  readonly metric: string;
  readonly value: boolean | number;
  readonly comment?: string;
}

export interface LoggedStep {
  readonly type: string;
  /** Milliseconds since the run began. */
  readonly atMs: number;
  readonly input?: LoggedText;
  readonly decision?: string;
  readonly matched?: readonly string[];
  readonly output?: LoggedText;
}

/** The entry. Field by field in docs/logs.md. Texts are absent where `logging.bodies` is `none` and on the standard output line. */
export interface LogEntry {
  readonly executionId: string;
  /** Milliseconds since the Unix epoch at which API Gateway received the request. */
  readonly timeMs: number;
  readonly organization: string;
  readonly organizationId: string;
  readonly neuron: string;
  readonly neuronId: string;
  readonly version: string | undefined;
  /** The rollout that chose the version, and the caller's side of it; absent where none was going on. */
  readonly rollout?: { readonly id: string; readonly arm: 'control' | 'candidate' };
  /** The shadow whose run this is, and the execution that it repeats; nobody got its answer. Absent in all other entries. */
  readonly shadow?: { readonly id: string; readonly of: string };
  /** The branches that `randomizedSplit` drew, in their order: `a`, or `a.b`; absent for a run without. */
  readonly branch?: string;
  readonly outcome: LogOutcome;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** The cause, for the operator only. */
  readonly reason: string | undefined;
  /** The value for one metric of an answer; only in an entry of feedback, which then has the time and version of that answer. */
  readonly feedback?: LoggedFeedback;
  readonly sourceIp: string;
  readonly refererHost: string | undefined;
  readonly username: string | undefined;
  readonly keyId: string | undefined;
  readonly authentication: Authentication | undefined;
  /** The form in which the caller spoke; absent in entries of before it was written, and of requests that the authorizer rejected. */
  readonly surface?: string;
  /** The family of the caller's program, as it names itself; absent where it does not. */
  readonly clientKind?: string;
  /** Digest of the session that the caller named; equal for equal sessions of one organization. */
  readonly session?: string;
  /** The trace of the caller (W3C Trace Context), where it sent one. */
  readonly traceparent?: string;
  /** The execution whose answer was repeated, for the same idempotency key. */
  readonly replayOf?: string;
  /** Members of the request without effect, by the caller's names; absent for none. */
  readonly leftOut?: readonly string[];
  /** Tags of the neuron, the key and the call; absent for none. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Guards that found something; absent for none. */
  readonly guards?: readonly LoggedGuard[];
  readonly cache: CacheResult | undefined;
  /** The cosine distance between the two inputs of a semantic hit, 0 to 2. */
  readonly cacheDistance?: number | undefined;
  /** The execution whose run made the answer of a hit. */
  readonly cacheSource?: string | undefined;
  readonly cacheFailures?: readonly CacheFailure[] | undefined;
  readonly latencyMs: number;
  /** `latencyMs` without the time spent waiting for providers. */
  readonly ownLatencyMs: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number | null;
  /** The cost of the run that made the answer of a hit; 0 where that is unknown. */
  readonly savingsMicrodollars: number;
  /** AWS's charges by the formula of docs/costs.md, in integer nanodollars. Absent in entries of before it was written. */
  readonly infrastructureNanodollars?: number;
  readonly modelCalls: readonly LoggedModelCall[];
  readonly trace: readonly LoggedStep[];
  readonly input: LoggedText | undefined;
  readonly output: LoggedText | undefined;
  /** The number of rejected requests or repeated answers that this entry stands for, where a flood is counted in one. */
  readonly count: number;
  /** Unix epoch seconds at which the entry may be deleted. */
  readonly expiresAt: number;
  readonly restored: boolean;
  /** True when texts, steps or model calls were left out to make the item fit. */
  readonly cut?: true;
}
