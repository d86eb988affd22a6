// The meaning of errors of the Messages API (platform.claude.com/docs/en/api/errors). Their text goes only to the log, redacted.
import type {
  ProviderExplanation,
  ProviderFailure,
  ProviderFailureKind,
  RequestMember,
} from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { membersBlamed } from '../blamed-members.ts';
import { saysContextTooLong } from '../context-length.ts';
import { failureOfStatus, kindOfStatus, parseRetryAfter } from '../http-status.ts';
import type { JsonAnswer } from '../post-json.ts';

/** A spending limit is a 429 too, but waiting does not help. */
const SPENT = 'enforced_spend_limit_reached';

/** The failure of an answer that is not 2xx. */
export function toAnthropicFailure(answer: JsonAnswer, nowMs: number): ProviderFailure {
  return failureOfStatus(answer.status, {
    kind: kindOf(answer),
    retryAfterMs: parseRetryAfter(answer.headers, nowMs),
    explanation: explanationOf(answer.json),
    members: membersOf(answer),
  });
}

export function explanationOf(json: unknown): ProviderExplanation {
  const error = memberOf(json, 'error');
  return { code: textMemberOf(error, 'type'), message: textMemberOf(error, 'message') };
}

function kindOf(answer: JsonAnswer): ProviderFailureKind {
  const error = memberOf(answer.json, 'error');
  const isSpent =
    memberOf(error, 'type') === 'billing_error' ||
    memberOf(memberOf(error, 'details'), 'error_code') === SPENT;
  if (isSpent) return 'quota_exhausted';
  const kind = kindOfStatus(answer.status);
  if (kind === 'rejected_input' && saysContextTooLong(errorMember(answer, 'message'))) {
    return 'context_too_long';
  }
  return kind === 'rejected_input' && membersOf(answer).length > 0 ? 'configuration' : kind;
}

function membersOf(answer: JsonAnswer): readonly RequestMember[] {
  return membersBlamed(errorMember(answer, 'message') ?? '');
}

function errorMember(answer: JsonAnswer, name: string): string | undefined {
  return textMemberOf(memberOf(answer.json, 'error'), name);
}
