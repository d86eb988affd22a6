// The log entry: one per request that reaches a function and names an existing neuron.
import type { ErrorCode } from './error-codes.ts';

/** What the response cache did for a run. */
export type CacheResult = 'exact' | 'semantic' | 'miss' | 'bypass' | 'off';

/** How a request ended. */
export type LogOutcome = 'success' | 'stopped' | 'failed' | 'refused';

/** What of the response cache failed: the exact read, the embedding, the semantic search. Never a reason for a run to fail. */
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

/** One model call of a run, over all its attempts. */
export interface LoggedModelCall {
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
  /** Of a call that was tried again: each attempt, its time from the beginning of the call, and why it failed. */
  readonly attemptTimes?: readonly LoggedAttempt[];
  /** Of a streamed call: milliseconds until the first piece of the answer. */
  readonly firstTextMs?: number;
}

/** A text as `logging.bodies` lets it be kept. */
export type LoggedText =
  | { readonly kind: 'full'; readonly text: string; readonly bytes: number; readonly cut?: true }
  | { readonly kind: 'hash'; readonly hash: string; readonly bytes: number };

/** One step of a run. */
export interface LoggedStep {
  readonly type: string;
  /** Milliseconds since the run began. */
  readonly atMs: number;
  readonly input?: LoggedText;
  readonly decision?: string;
  /** Patterns that matched. */
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
  readonly outcome: LogOutcome;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Why, for the operator only. */
  readonly reason: string | undefined;
  readonly sourceIp: string;
  readonly refererHost: string | undefined;
  readonly username: string | undefined;
  readonly keyId: string | undefined;
  readonly authentication: Authentication | undefined;
  /** The trace of the caller (W3C Trace Context), where it sent one. */
  readonly traceparent?: string;
  /** Of an answer that was given before, for the same idempotency key: the execution that made it. */
  readonly replayOf?: string;
  readonly cache: CacheResult | undefined;
  /** Of a semantic hit: the cosine distance between the two inputs, 0 to 2. */
  readonly cacheDistance?: number | undefined;
  /** Of a hit: the execution whose run made the answer. */
  readonly cacheSource?: string | undefined;
  readonly cacheFailures?: readonly CacheFailure[] | undefined;
  readonly latencyMs: number;
  /** `latencyMs` without the time spent waiting for providers. */
  readonly ownLatencyMs: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number | null;
  /** Of a hit: what the run that made the answer cost; 0 where that is unknown. */
  readonly savingsMicrodollars: number;
  readonly modelCalls: readonly LoggedModelCall[];
  readonly trace: readonly LoggedStep[];
  readonly input: LoggedText | undefined;
  readonly output: LoggedText | undefined;
  /** How many refusals, or repeated answers, this entry stands for, where a flood is counted in one. */
  readonly count: number;
  /** Unix epoch seconds at which the entry may be deleted. */
  readonly expiresAt: number;
  readonly restored: boolean;
  /** True when texts, steps or model calls were left out, because the item would not have fitted. */
  readonly cut?: true;
}
