// What an error of the Messages API means (platform.claude.com/docs/en/api/errors). Its text is never kept.

import { memberOf } from '../../../core/contract/json.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../../core/ports/providers.ts';
import { failureOfStatus, kindOfStatus, parseRetryAfter } from '../http-status.ts';
import type { JsonAnswer } from '../post-json.ts';

/** A spending limit comes as 429 too and does not pass by waiting; 529 (overloaded) is unavailable like any 5xx. */
const SPENT = 'enforced_spend_limit_reached';

/** The failure of an answer that is not 2xx. */
export function toAnthropicFailure(answer: JsonAnswer, nowMs: number): ProviderFailure {
  return failureOfStatus(answer.status, {
    kind: kindOf(answer),
    retryAfterMs: parseRetryAfter(answer.headers, nowMs),
  });
}

function kindOf(answer: JsonAnswer): ProviderFailureKind {
  const error = memberOf(answer.json, 'error');
  const isSpent =
    memberOf(error, 'type') === 'billing_error' ||
    memberOf(memberOf(error, 'details'), 'error_code') === SPENT;
  return isSpent ? 'quota_exhausted' : kindOfStatus(answer.status);
}
