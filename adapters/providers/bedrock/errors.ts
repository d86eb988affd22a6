// What an error of Bedrock means (API_runtime_Converse.html, "Errors"). Its text is looked at where its type does not tell, and never kept.

import { memberOf } from '../../../core/contract/json.ts';
import type { ProviderFailure, ProviderFailureKind } from '../../../core/ports/providers.ts';
import { failureOfStatus, kindOfStatus, parseRetryAfter } from '../http-status.ts';
import type { JsonAnswer } from '../post-json.ts';

/** Types that say more than their status; all others are what their status is. */
const KINDS: ReadonlyMap<string, ProviderFailureKind> = new Map([
  ['ModelNotReadyException', 'unavailable'],
  ['ModelErrorException', 'unavailable'],
  ['ServiceQuotaExceededException', 'quota_exhausted'],
  ['IncompleteSignature', 'configuration'],
  ['ExpiredTokenException', 'configuration'],
]);

/** No input can cause these refusals: the flow names a model that is not there, or not there without an inference profile. */
const WRONG_MODEL = /model identifier is invalid|on-demand throughput|doesn.t support the model/i;

/** A quota of a day does not pass within a call, unlike one of a minute, which has the same type. */
const DAILY_QUOTA = /\bper day\b/i;

/** The failure of an answer that is not 200. */
export function toBedrockFailure(answer: JsonAnswer, nowMs: number): ProviderFailure {
  return failureOfStatus(answer.status, {
    kind: kindOf(answer),
    retryAfterMs: parseRetryAfter(answer.headers, nowMs),
  });
}

function kindOf(answer: JsonAnswer): ProviderFailureKind {
  const named = KINDS.get(typeOf(answer));
  if (named !== undefined) return named;
  const kind = kindOfStatus(answer.status);
  const message = messageOf(answer);
  if (kind === 'rate_limited' && DAILY_QUOTA.test(message)) return 'quota_exhausted';
  if (kind === 'rejected_input' && WRONG_MODEL.test(message)) return 'configuration';
  return kind;
}

/** `ThrottlingException`, from a header such as `ThrottlingException:http://internal.amazon.com/…`, else from the body. */
function typeOf({ headers, json }: JsonAnswer): string {
  const written = headers['x-amzn-errortype'] ?? memberOf(json, '__type');
  if (typeof written !== 'string') return '';
  const [type = ''] = written.split(':');
  return type.slice(type.lastIndexOf('#') + 1);
}

function messageOf({ json }: JsonAnswer): string {
  const message = memberOf(json, 'message') ?? memberOf(json, 'Message');
  return typeof message === 'string' ? message : '';
}
