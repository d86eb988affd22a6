// What the steps of one request hand on: one typed record, the only thing read from Middy's bag.
import type { ExecutionRequest } from '../../adapters/apigateway/proxy-event.ts';
import type { BegunLookup, CacheLookup } from '../../core/cache/lookup.ts';
import type { ErrorCode } from '../../core/contract/error-codes.ts';
import type { Invocation } from '../../core/contract/invocation.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import type { FlowResult } from '../../core/flow/run.ts';
import type { Budget } from '../../core/limits/budget.ts';
import type { EntryFacts, LogSubject } from '../../core/logs/build-entry.ts';
import type { Random } from '../../core/ports/platform.ts';
import type { Flow } from '../../core/settings/flow-schema.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { Deadline } from '../../core/time/deadline.ts';

declare const admitted: unique symbol;

/**
 * Proof that access control admitted this very request. It can only be made by `toAdmission`, and no step that costs or
 * reveals anything works without one.
 */
export type Admission = Extract<ExecutionRequest['authorizerContext'], { outcome: 'allow' }> & {
  readonly [admitted]: true;
};

/** A version that is about to run. */
export interface FoundVersion {
  readonly id: string;
  readonly flow: Flow;
}

/** One request. Fields are set by the step that is named, in the order of the handler. */
export interface Run {
  readonly request: ExecutionRequest;
  readonly startedAtMs: number;
  /** Set by open-run as soon as the neuron is known: from then on the request is in the log. */
  subject?: LogSubject | undefined;
  /** open-run */
  admission?: Admission;
  /** open-run */
  settings?: UsableSettings;
  /** open-run; aborts when the neuron's deadline is reached. */
  deadline?: Deadline;
  /** read-invocation */
  invocation?: Invocation;
  /** find-version */
  version?: FoundVersion;
  /** admit */
  budget?: Budget;
  /** admit, where it had to look ahead: what was drawn then is drawn again by the run. */
  random?: Pick<Random, 'fraction'>;
  /** start-exact-read, in response-cache */
  caching?: BegunLookup;
  /** response-cache; a hit is answered in place of a run. */
  lookup?: CacheLookup;
  /** run-flow */
  result?: FlowResult;
  /** record-line; the entries are put once the answer has left. */
  entries?: readonly EntryFacts[];
}

/** What the authorizer lets through only so that this function gives the answer that a gateway response cannot. */
const NOT_ADMITTED = {
  not_found: 'not_found',
  configuration: 'configuration',
  unavailable: 'dependency_unavailable',
} as const satisfies Record<string, ErrorCode>;

/** The admission of a request: the authorizer said `allow`, and for the slugs of this path. `unusableBecause` is for the log. */
export function toAdmission(
  { authorizerContext, organization, neuron }: ExecutionRequest,
  unusableBecause?: string,
): Admission {
  if (authorizerContext === undefined)
    throw new ServiceError('internal', { reason: 'the authorizer handed on nothing' });
  if (authorizerContext.outcome !== 'allow')
    throw new ServiceError(
      NOT_ADMITTED[authorizerContext.outcome],
      reasonOf(unusableBecause ?? authorizerContext.reason),
    );
  if (authorizerContext.organization !== organization || authorizerContext.neuron !== neuron) {
    throw new ServiceError('internal', { reason: 'the authorizer judged another path' });
  }
  return authorizerContext as Admission;
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason };
}

/** A field that an earlier step has set. */
export function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new ServiceError('internal', { reason: `${name} is read before it is set` });
  return value;
}
