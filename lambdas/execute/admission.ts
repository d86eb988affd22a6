// Proof that the authorizer allowed a request, and the only way to have one.
import type { ExecutionRequest } from '../../adapters/apigateway/proxy-event.ts';
import type { ErrorCode } from '../../core/contract/error-codes.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import type { KnownSettings } from '../../core/settings/settings-cache.ts';

declare const authorized: unique symbol;

/**
 * Proof that the authorizer allowed this very request. Only `toAdmission` makes one, and no step that costs or reveals
 * anything works without it.
 */
export type Admission = Extract<ExecutionRequest['authorizerContext'], { outcome: 'allow' }> & {
  readonly [authorized]: true;
};

/**
 * Outcomes that the authorizer lets through only because no gateway response can give their answer, with the code of that answer.
 * A denied request brings its code along.
 */
const NOT_ADMITTED = {
  not_found: 'not_found',
  configuration: 'configuration',
  unavailable: 'dependency_unavailable',
} as const satisfies Record<string, ErrorCode>;

/** 403 with the code of a denial, 404 `not_found`, 500 `configuration`, 503 `dependency_unavailable`: whatever the authorizer found. */
export function requireAdmission(request: ExecutionRequest, known: KnownSettings | undefined): Admission {
  return toAdmission(request, known?.verdict.usable === false ? known.verdict.reason : undefined);
}

/** The admission of a request: the authorizer said `allow`, and for the slugs of this path. `unusableBecause` is for the log. */
export function toAdmission(
  { authorizerContext, organization, neuron }: ExecutionRequest,
  unusableBecause?: string,
): Admission {
  if (authorizerContext === undefined)
    throw new ServiceError('internal', { reason: 'the authorizer passed no context' });
  if (authorizerContext.outcome === 'denied') throw new ServiceError(authorizerContext.code);
  if (authorizerContext.outcome === 'key') {
    throw new ServiceError('internal', { reason: 'a key alone admits to no neuron' });
  }
  if (authorizerContext.outcome !== 'allow') {
    const reason = unusableBecause ?? authorizerContext.reason;
    throw new ServiceError(NOT_ADMITTED[authorizerContext.outcome], reason === undefined ? {} : { reason });
  }
  if (authorizerContext.organization !== organization || authorizerContext.neuron !== neuron) {
    throw new ServiceError('internal', { reason: 'the authorizer decided on another path' });
  }
  return authorizerContext as Admission;
}
