// What an error of an OpenAI-compatible endpoint means (platform.openai.com/docs/guides/error-codes). Its text is never kept:
// a 401 quotes the key.

import { memberOf } from '../../../core/contract/json.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../../core/ports/providers.ts';
import { failureOfStatus, kindOfStatus, parseRetryAfter } from '../http-status.ts';
import type { JsonAnswer } from '../post-json.ts';

/** Credit or a spending limit is used up: waiting does not help, so it must not look like a rate limit. */
const QUOTA =
  /^(?:insufficient_quota|credit_balance_exhausted|billing_\w+|\w+_(?:spend|usage)_limit_exceeded)$/;

/** Refusals that no input can cause: the flow names a model or a setting that the endpoint does not have. */
const CONFIGURATION = new Set([
  'model_not_found',
  'unsupported_parameter',
  'unsupported_value',
  'invalid_api_key',
]);

/** The failure of an answer that is not 2xx. */
export function toOpenaiFailure(answer: JsonAnswer, nowMs: number): ProviderFailure {
  return failureOfStatus(answer.status, {
    kind: kindOf(answer),
    retryAfterMs: parseRetryAfter(answer.headers, nowMs),
  });
}

/** A prompt that the endpoint's content filter refused (Azure OpenAI: 400 with this code). */
export function isFilteredPrompt(answer: JsonAnswer): boolean {
  return answer.status === 400 && errorMember(answer, 'code') === 'content_filter';
}

function kindOf(answer: JsonAnswer): ProviderFailureKind {
  const kind = kindOfStatus(answer.status);
  const named = [errorMember(answer, 'code'), errorMember(answer, 'type')];
  if (kind === 'rate_limited' && named.some((name) => QUOTA.test(name))) return 'quota_exhausted';
  if (kind === 'rejected_input' && named.some((name) => CONFIGURATION.has(name))) return 'configuration';
  return kind;
}

function errorMember(answer: JsonAnswer, name: string): string {
  const value = memberOf(memberOf(answer.json, 'error'), name);
  return typeof value === 'string' ? value : '';
}
