// Turns a provider's failure into the error of the request: a code from one table, and a reason for the operator.
import type { ErrorCode } from '../contract/error-codes.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { ProviderFailure, ProviderFailureKind, RequestMember } from '../ports/providers.ts';
import { redactCode, redactMessage, type SentTexts, type Withholds } from './redact.ts';
import { pathOf } from './request/member-paths.ts';

/**
 * A provider's 429 is 503 here: 429 is kept for the service's own limits, so that a caller can tell them apart. Its 401, 403 and 404
 * are for the operator to fix.
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
  context_too_long: 'context_too_long',
} as const satisfies Record<ProviderFailureKind, ErrorCode>;

interface FailedCall {
  /** Written `PROVIDER/MODEL`. */
  readonly target: string;
  readonly sent: SentTexts;
  readonly ofCaller: ReadonlySet<RequestMember>;
  /** Absent without guards. */
  readonly withholds?: Withholds | undefined;
}

/** The error for a failed call. It names a member that the caller has set and the model rejects. */
export function toProviderError(
  failure: ProviderFailure,
  { target, sent, ofCaller, withholds }: FailedCall,
): ServiceError {
  const reason = `${target}: ${describeFailure(failure, { sent, ofCaller, withholds })}`;
  const path = failure.members.filter((member) => ofCaller.has(member)).map(pathOf)[0];
  if (isOfMembers(failure) && path !== undefined) {
    const detail =
      path === 'tools' && sent.tools === undefined
        ? '"tools" is missing: the model of this neuron takes calls of tools only beside them.'
        : `"${path}": the model of this neuron does not accept that.`;
    return new ServiceError('not_accepted', { detail, reason, cause: failure });
  }
  return new ServiceError(CODES[failure.kind], {
    reason,
    cause: failure,
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

/** The kind, corrected by who set the rejected member. */
export function kindOf(failure: ProviderFailure, ofCaller: ReadonlySet<RequestMember>): ProviderFailureKind {
  const isOfCaller = isOfMembers(failure) && failure.members.some((member) => ofCaller.has(member));
  return isOfCaller ? 'rejected_input' : failure.kind;
}

function isOfMembers({ kind }: ProviderFailure): boolean {
  return kind === 'configuration' || kind === 'rejected_input';
}

/**
 * `configuration (HTTP 400, unsupported_value: "…", secret openai-key)`, for the operator. The provider's code and message are redacted
 * and bounded; a remedy follows where one is known.
 */
export function describeFailure(
  failure: ProviderFailure,
  { sent, ofCaller, withholds }: Omit<FailedCall, 'target'>,
): string {
  const { status, explanation, secret } = failure;
  const kind = kindOf(failure, ofCaller);
  const remedy = failure.remedy ?? remedyOf(failure, kind);
  const said = [
    redactCode(explanation.code, withholds),
    quote(redactMessage(explanation.message, sent, withholds)),
  ];
  const details = [
    status === undefined ? undefined : `HTTP ${status}`,
    said.filter((part) => part !== undefined).join(': ') || undefined,
    secret === undefined ? undefined : `secret ${secret}`,
  ].filter((part) => part !== undefined);
  const whatToDo = remedy === undefined ? '' : `: ${remedy}`;
  if (details.length > 0) return `${kind} (${details.join(', ')})${whatToDo}`;
  return kind === 'unavailable' ? `${kind} (not reached)` : `${kind}${whatToDo}`;
}

/** The remedy for a member that a step sets and its model rejects. A step calls `schema` `outputSchema`. */
function remedyOf({ members }: ProviderFailure, kind: ProviderFailureKind): string | undefined {
  const [member] = members;
  if (kind !== 'configuration' || member === undefined || member === 'model') return undefined;
  const step = member === 'dimensions' ? 'embed' : 'callModel';
  const name = member === 'schema' ? 'outputSchema' : member;
  return `the model does not take ${name} as ${step} has it: change it there, or call another model`;
}

function quote(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `"${text}"`;
}
