// The meaning of errors of Bedrock (API_runtime_Converse.html, "Errors"), by type, else by text, which goes only to the log, redacted.
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
import { type JsonAnswer, parseJson } from '../post-json.ts';

/** Types that mean something else than their status. */
const KINDS: ReadonlyMap<string, ProviderFailureKind> = new Map([
  ['ModelNotReadyException', 'unavailable'],
  ['ModelErrorException', 'unavailable'],
  ['ServiceQuotaExceededException', 'quota_exhausted'],
  ['IncompleteSignature', 'configuration'],
  ['ExpiredTokenException', 'configuration'],
]);

/** No input causes these errors: the flow names a model that does not exist, or only with an inference profile. */
const WRONG_MODEL = /model identifier is invalid|on-demand throughput|doesn.t support the model/i;

/** A member of the request that only settings fill; the pattern is anchored, since a message may quote a caller. */
const WRONG_PARAMETER =
  /^(?:\d+ validation errors? detected: Value '[^']*' at '(?:inferenceConfig\b|modelId)|Malformed input request: #\/(?!messages|input|prompt)|The maximum tokens you requested|`?(?:temperature|top_?p|top_?k|max_?tokens|stop_?sequences)\b)/i;

/** Waiting does not help against a quota per day, which has the same type as one per minute. */
const DAILY_QUOTA = /\bper day\b/i;

/**
 * Remedies for what the account or the role lacks (bedrock/latest/userguide/model-access.html;
 * repost.aws/knowledge-center/bedrock-resolve-marketplace-permission). AWS changes such texts: an unknown one is `configuration`
 * without a remedy.
 */
const LACKING: readonly { readonly says: RegExp; readonly remedy: string }[] = [
  {
    says: /use.case (?:details|form)/i,
    remedy: "submit Anthropic's use case form for the account (docs/providers.md, Models on Amazon Bedrock)",
  },
  {
    says: /INVALID_PAYMENT_INSTRUMENT|payment (?:instrument|method)/i,
    remedy: 'give the account a payment method that AWS Marketplace takes',
  },
  {
    says: /aws-marketplace|AWS Marketplace/i,
    remedy:
      'subscribe the account to the model in AWS Marketplace (docs/providers.md, Models on Amazon Bedrock)',
  },
  {
    says: /explicit deny in a (?:service|resource) control policy/i,
    remedy: "a policy of the organization in AWS denies the model: ask who manages the account's policies",
  },
  {
    says: /not authorized to perform: bedrock:/i,
    remedy: 'name the model and its region in the stage setting `bedrock`, and deploy',
  },
];

export function toBedrockFailure(answer: JsonAnswer, nowMs: number): ProviderFailure {
  const message = messageOf(answer);
  // Failures of the service and throttles are not about the account.
  const mayLack = answer.status < 429 && !KINDS.has(typeOf(answer));
  const remedy = mayLack ? LACKING.find(({ says }) => says.test(message))?.remedy : undefined;
  return failureOfStatus(answer.status, {
    kind: remedy === undefined ? kindOf(answer) : 'configuration',
    remedy,
    retryAfterMs: parseRetryAfter(answer.headers, nowMs),
    explanation: { ...explanationOf(answer.json), code: typeOf(answer) || undefined },
    members: membersOf(answer),
  });
}

export function explanationOf(json: unknown): ProviderExplanation {
  return {
    code: textMemberOf(json, '__type'),
    message: textMemberOf(json, 'message') || textMemberOf(json, 'Message') || undefined,
  };
}

function kindOf(answer: JsonAnswer): ProviderFailureKind {
  const named = KINDS.get(typeOf(answer));
  if (named !== undefined) return named;
  const kind = kindOfStatus(answer.status);
  const message = messageOf(answer);
  if (kind === 'rate_limited' && DAILY_QUOTA.test(message)) return 'quota_exhausted';
  if (kind === 'rejected_input' && saysContextTooLong(message)) return 'context_too_long';
  const isOfSettings =
    WRONG_MODEL.test(message) || WRONG_PARAMETER.test(message) || membersOf(answer).length > 0;
  if (kind === 'rejected_input' && isOfSettings) return 'configuration';
  return kind;
}

/** Precedes an error of the model itself: its message, or the whole error as JSON. */
const OF_THE_MODEL = /^The model returned the following errors: /;

/** The service's own validation of a value that is out of bounds. */
const AT = /^\d+ validation errors? detected: Value '[^']*' at '([\w.]+)/;

function membersOf(answer: JsonAnswer): readonly RequestMember[] {
  const message = messageOf(answer);
  const own = message.replace(OF_THE_MODEL, '');
  const error = own.startsWith('{') ? memberOf(parseJson(Buffer.from(own)), 'error') : undefined;
  const named =
    textMemberOf(error, 'param') ?? textMemberOf(error, 'message') ?? AT.exec(message)?.[1] ?? own;
  return membersBlamed(named);
}

/** `ThrottlingException`, from a header such as `ThrottlingException:http://internal.amazon.com/…`, else from the body. */
function typeOf({ headers, json }: JsonAnswer): string {
  const written = headers['x-amzn-errortype'] ?? memberOf(json, '__type');
  if (typeof written !== 'string') return '';
  const [type = ''] = written.split(':');
  return type.slice(type.lastIndexOf('#') + 1);
}

function messageOf({ json }: JsonAnswer): string {
  return explanationOf(json).message ?? '';
}
