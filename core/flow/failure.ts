// How a provider's failure is answered: one table of codes, and a reason for the operator with what the provider says.
import type { ErrorCode } from '../contract/error-codes.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { ProviderFailure, ProviderFailureKind } from '../ports/providers.ts';
import { redactCode, redactMessage, type SentTexts } from './redact.ts';

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
  truncated: 'upstream_unavailable',
  configuration: 'configuration',
  rejected_input: 'provider_rejected_input',
} as const satisfies Record<ProviderFailureKind, ErrorCode>;

/** The refusal for a failed call of `target`, written `PROVIDER/MODEL`. */
export function toProviderError(failure: ProviderFailure, target: string, sent: SentTexts): ServiceError {
  return new ServiceError(CODES[failure.kind], {
    reason: `${target}: ${describeFailure(failure, sent)}`,
    cause: failure,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

/**
 * `configuration (HTTP 400, unsupported_value: "…", secret openai-key)`, for the operator. The provider's code and message are redacted
 * and bounded; what to do follows where that is known.
 */
export function describeFailure(failure: ProviderFailure, sent: SentTexts): string {
  const { kind, status, explanation, secret, remedy } = failure;
  const said = [redactCode(explanation.code), quote(redactMessage(explanation.message, sent))];
  const details = [
    status === undefined ? undefined : `HTTP ${status}`,
    said.filter((part) => part !== undefined).join(': ') || undefined,
    secret === undefined ? undefined : `secret ${secret}`,
  ].filter((part) => part !== undefined);
  const whatToDo = remedy === undefined ? '' : `: ${remedy}`;
  if (details.length > 0) return `${kind} (${details.join(', ')})${whatToDo}`;
  return kind === 'unavailable' ? `${kind} (not reached)` : kind;
}

function quote(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `"${text}"`;
}
