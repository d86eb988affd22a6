// How a provider's failure is answered: one table of codes, and a reason for the operator that quotes no provider.
import type { ErrorCode } from '../contract/error-codes.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { ProviderFailure, ProviderFailureKind } from '../ports/providers.ts';

/**
 * A provider's 429 is 503 here: 429 is kept for the service's own limits, so that a caller can tell them apart. Its 401,
 * 403 and 404 are the operator's to mend.
 */
const CODES = {
  timeout: 'upstream_unavailable',
  unavailable: 'upstream_unavailable',
  rate_limited: 'upstream_unavailable',
  quota_exhausted: 'upstream_unavailable',
  malformed_answer: 'upstream_unavailable',
  configuration: 'configuration',
  rejected_input: 'provider_rejected_input',
} as const satisfies Record<ProviderFailureKind, ErrorCode>;

/** The refusal for a failed call of `target`, written `PROVIDER/MODEL`. */
export function toProviderError(failure: ProviderFailure, target: string): ServiceError {
  return new ServiceError(CODES[failure.kind], {
    reason: `${target}: ${describeFailure(failure)}`,
    cause: failure,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

/** `rate_limited (HTTP 429)`, and what to do where that is known: in words of ours alone. */
export function describeFailure({ kind, status, remedy }: ProviderFailure): string {
  if (status !== undefined) return `${kind} (HTTP ${status})${remedy === undefined ? '' : `: ${remedy}`}`;
  return kind === 'unavailable' ? `${kind} (not reached)` : kind;
}
