// The meaning of errors of OpenAI-compatible endpoints (platform.openai.com/docs/guides/error-codes). Their text goes only to the log,
// redacted: a 401 quotes the key.
import type {
  ProviderExplanation,
  ProviderFailure,
  ProviderFailureKind,
  RequestMember,
} from '../../../core/ports/providers.ts';
import { memberOf, textMemberOf } from '../../../core/text/json.ts';
import { memberNamed } from '../blamed-members.ts';
import { saysContextTooLong } from '../context-length.ts';
import { failureOfStatus, kindOfStatus, parseRetryAfter } from '../http-status.ts';
import type { JsonAnswer } from '../post-json.ts';

/** Credit or a spending limit is used up. Waiting does not help, so it must not count as a rate limit. */
const QUOTA =
  /^(?:insufficient_quota|credit_balance_exhausted|billing_\w+|\w+_(?:spend|usage)_limit_exceeded)$/;

/** No input causes these errors: the flow names a model or a setting that the endpoint does not have. */
const CONFIGURATION = new Set([
  'model_not_found',
  'unsupported_parameter',
  'unsupported_value',
  'invalid_api_key',
]);

/** Members of the request that a caller fills; all others come from settings. */
const CALLERS = /^(?:messages|input|prompt)\b/;

/** Codes of a context that is too small: OpenAI's own, and llama.cpp's. */
const CONTEXT = new Set(['context_length_exceeded', 'exceed_context_size_error']);

/** Codes of an input that is too long, whichever member is blamed. */
const TOO_LONG = new Set(['string_above_max_length']);

/** The failure of an answer that is not 2xx. */
export function toOpenaiFailure(answer: JsonAnswer, nowMs: number): ProviderFailure {
  return failureOfStatus(answer.status, {
    kind: kindOf(answer),
    retryAfterMs: parseRetryAfter(answer.headers, nowMs),
    explanation: explanationOf(answer.json),
    members: membersOf(answer),
  });
}

/** True for a prompt that the endpoint's content filter rejected (Azure OpenAI: 400 with this code). */
export function isFilteredPrompt(answer: JsonAnswer): boolean {
  return answer.status === 400 && errorMember(answer, 'code') === 'content_filter';
}

/** An endpoint that does not know the option rejects the whole request, and names the option somewhere. */
export function rejectsStreamOptions({ status, json }: JsonAnswer): boolean {
  return (
    (status === 400 || status === 422) && /stream_options|include_usage/.test(JSON.stringify(json) ?? '')
  );
}

function kindOf(answer: JsonAnswer): ProviderFailureKind {
  const kind = kindOfStatus(answer.status);
  const named = [errorMember(answer, 'code'), errorMember(answer, 'type')];
  if (kind === 'rate_limited' && named.some((name) => QUOTA.test(name))) return 'quota_exhausted';
  if (kind !== 'rejected_input') return kind;
  const { message } = explanationOf(answer.json);
  if (named.some((name) => CONTEXT.has(name)) || saysContextTooLong(message)) return 'context_too_long';
  if (named.some((name) => TOO_LONG.has(name))) return kind;
  return named.some((name) => CONFIGURATION.has(name)) || blamesSettings(answer) ? 'configuration' : kind;
}

/** True where the endpoint blames a member that only settings fill. */
function blamesSettings(answer: JsonAnswer): boolean {
  const parameter = errorMember(answer, 'param');
  return /^[a-z]/.test(parameter) && !CALLERS.test(parameter);
}

/** Other servers leave out the code or send the status in its place; some send only text, or no member `error`. */
export function explanationOf(json: unknown): ProviderExplanation {
  const error = memberOf(json, 'error');
  if (typeof error === 'string') return { message: error };
  const said = error ?? json;
  return {
    code: textMemberOf(said, 'code') || textMemberOf(said, 'type') || undefined,
    // Mistral refuses a key with `detail` alone.
    message: textMemberOf(said, 'message') || textMemberOf(said, 'detail') || undefined,
  };
}

function membersOf(answer: JsonAnswer): readonly RequestMember[] {
  const member = memberNamed(errorMember(answer, 'param'));
  return member === undefined ? [] : [member];
}

function errorMember(answer: JsonAnswer, name: string): string {
  return textMemberOf(memberOf(answer.json, 'error'), name) ?? '';
}
