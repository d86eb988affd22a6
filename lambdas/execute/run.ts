// The record of one request. Each step takes one stage of it and returns the next, so the compiler holds the order of the steps.
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ExecutionRequest } from '../../adapters/apigateway/proxy-event.ts';
import type { CacheLookup, StartedLookup } from '../../core/cache/lookup.ts';
import type { FlowResult } from '../../core/flow/run.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { EntryFacts, LogSubject } from '../../core/logs/build-entry.ts';
import type { Claim, ClaimKey } from '../../core/ports/idempotency.ts';
import type { Flow } from '../../core/settings/flow-schema.ts';
import type { KnownSettings } from '../../core/settings/settings-cache.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { Invocation } from '../../core/surfaces/surface.ts';
import type { Deadline } from '../../core/time/deadline.ts';
import type { Admission } from './admission.ts';

/** Thrown by a step whose answer ends the list early: Middy passes over what comes back on an early return. */
export class Answered extends Error {
  readonly answer: APIGatewayProxyResult;
  /** What the log says of an answer that was given before; nothing of any other. */
  readonly repeats: Pick<EntryFacts, 'code' | 'status' | 'replay'> | undefined;

  constructor(answer: APIGatewayProxyResult, repeats?: Pick<EntryFacts, 'code' | 'status' | 'replay'>) {
    super('answered');
    this.name = 'Answered';
    this.answer = answer;
    this.repeats = repeats;
  }
}

/** After `openRun`. */
export interface OpenedRun {
  readonly request: ExecutionRequest;
  /** By the monotonic clock. */
  readonly startedMs: number;
  /** Whose log the request belongs in; undefined for a neuron that does not exist. */
  readonly subject: LogSubject | undefined;
}

/** After `readSettings`. Undefined where the path names nothing that could be stored. */
export interface KnownRun extends OpenedRun {
  readonly known: KnownSettings | undefined;
}

/** After `requireAdmission`. */
export interface AuthorizedRun extends KnownRun {
  readonly admission: Admission;
}

/** After `useSettings`. */
export interface ConfiguredRun extends AuthorizedRun {
  readonly settings: UsableSettings;
  /** Aborts when the neuron's deadline is reached. */
  readonly deadline: Deadline;
}

/** After `refuseWhileClosed`. */
export interface ServingRun extends ConfiguredRun {
  readonly settings: UsableSettings & { readonly maintenance: undefined; readonly pause: undefined };
}

/** A claim that this request holds, and where. */
export interface HeldClaim extends Claim {
  readonly key: ClaimKey;
}

/** After `claimKey`. */
export interface ClaimedRun extends ServingRun {
  /** Undefined for a request without an idempotency key. */
  readonly claim: HeldClaim | undefined;
}

/** After `readInvocation`. */
export interface InvokedRun extends ClaimedRun {
  readonly invocation: Invocation;
}

/** After `findVersion`. */
export interface VersionedRun extends InvokedRun {
  readonly version: { readonly id: string; readonly flow: Flow };
}

/** After `startCacheRead`. */
export interface CacheReadingRun extends VersionedRun {
  readonly caching: StartedLookup;
}

/** After `openRunBudget`: from here on the answer shows the caller what remains of its limits. */
export interface BudgetedRun extends CacheReadingRun {
  readonly budget: Budget;
}

/** After `admit`. */
export interface AdmittedRun extends BudgetedRun {
  /** Replays the random numbers of the estimate, so that the first attempt is the one that was estimated. */
  readonly random: { fraction(): number };
}

/** After `lookUpAnswer`. */
export interface LookedUpRun extends AdmittedRun {
  readonly lookup: CacheLookup;
}

/** After `execute`. */
export interface ExecutedRun extends LookedUpRun {
  /** Undefined where the answer came from the cache. */
  readonly result: FlowResult | undefined;
}

/** A request that may have ended at any step: what error paths and the work after the answer read. */
export interface PartialRun extends OpenedRun, Partial<Omit<ExecutedRun, keyof OpenedRun | 'settings'>> {
  readonly settings?: UsableSettings;
  /** Set when a stream opens; resolves when it has ended and everything after the answer is done. Never rejects. */
  readonly streaming?: Promise<void>;
  /** Set by `recordLine`; these entries are put once the answer has left. */
  readonly entries?: readonly EntryFacts[];
}

/** Every model that was called: for the embedding of the lookup, then in the run. */
export function modelCallsOf({ lookup, result }: PartialRun): FlowResult['modelCalls'] {
  return [...(lookup?.embedding === undefined ? [] : [lookup.embedding]), ...(result?.modelCalls ?? [])];
}
