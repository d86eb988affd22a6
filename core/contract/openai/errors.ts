// Renders an error as OpenAI's clients read it (github.com/openai/openai-openapi, ErrorResponse), with the headers on which they decide to call again.
import type { Answer } from '../error-body.ts';
import { retryAfterSeconds } from '../error-body.ts';
import { carriesRetryAfter, ERROR_CODES, type ErrorCode, statusOf } from '../error-codes.ts';
import { FIXED_HEADERS, RESPONSE_HEADERS } from '../headers.ts';

/** The body of every error. */
export interface OpenaiError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

interface Pair {
  readonly status?: number;
  readonly type: string;
  /** The service's own where it is absent. */
  readonly code?: string;
  readonly param?: string;
}

const INVALID = 'invalid_request_error';
const UNKNOWN_MODEL: Pair = { type: INVALID, code: 'model_not_found', param: 'model' };

/** Where a class of OpenAI's errors or a code of theirs stands for one of ours. */
const PAIRS: Readonly<Partial<Record<ErrorCode, Pair>>> = {
  unauthorized: { type: INVALID, code: 'invalid_api_key' },
  not_found: UNKNOWN_MODEL,
  deployment_not_found: UNKNOWN_MODEL,
  model_not_found: UNKNOWN_MODEL,
  route_not_found: { type: INVALID, code: 'unknown_url' },
  rate_limited: { type: 'requests', code: 'rate_limit_exceeded' },
  throttled: { type: 'requests', code: 'rate_limit_exceeded' },
};

/** Longer waits are for people: no client waits for them, and some would call again at once. */
const LONGEST_WAIT_S = 60;

/** Renders the error of a request. `param` and `text` are those of the thrown error, in the service's own names. */
export function renderOpenaiError(
  code: ErrorCode,
  detail: {
    readonly retryAfterMs?: number | undefined;
    readonly executionId?: string | undefined;
    readonly text?: string | undefined;
    readonly param?: string | undefined;
  },
): Answer {
  const retryAfter = carriesRetryAfter(code) ? retryAfterSeconds(detail.retryAfterMs) : undefined;
  const lasts = retryAfter !== undefined && retryAfter > LONGEST_WAIT_S;
  const status = statusOf(code) === 422 ? 400 : statusOf(code);
  const { type, code: openaiCode = code, param } = pairOf(code, status, lasts);
  const at = param ?? (detail.param === undefined ? undefined : toOpenaiName(detail.param));
  const body: OpenaiError = {
    error: {
      message: toOpenaiNames(detail.text ?? ERROR_CODES[code].text),
      type,
      param: at ?? null,
      code: openaiCode,
    },
  };
  const passes = retryAfter !== undefined && !lasts;
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      ...FIXED_HEADERS,
      ...requestIdHeaders(detail.executionId),
      ...(retryAfter === undefined ? {} : { [RESPONSE_HEADERS.retryAfter]: String(retryAfter) }),
      // Clients call again after 409, 429 and every 5xx unless they are told not to.
      ...(passes || status < 409 ? {} : { [RESPONSE_HEADERS.shouldRetry]: 'false' }),
    },
    body: JSON.stringify(body),
  };
}

/** Under the name that OpenAI's clients read it by, too. */
export function requestIdHeaders(executionId: string | undefined): Record<string, string> {
  if (executionId === undefined) return {};
  return { [RESPONSE_HEADERS.executionId]: executionId, [RESPONSE_HEADERS.requestId]: executionId };
}

function pairOf(code: ErrorCode, status: number, lasts: boolean): Pair {
  if (status === 429 && lasts) return { type: 'insufficient_quota', code: 'insufficient_quota' };
  const pair = PAIRS[code];
  if (pair !== undefined) return pair;
  if (status === 429) return { type: 'requests', code: 'rate_limit_exceeded' };
  if (status === 403) return { type: 'permission_error' };
  return { type: status >= 500 ? 'server_error' : INVALID };
}

/** The service's own names of members, and OpenAI's. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^parameters\.maxTokens/, 'max_completion_tokens'],
  [/^parameters\.topP/, 'top_p'],
  [/^parameters\./, ''],
  [/^toolChoice/, 'tool_choice'],
  [/^responseFormat/, 'response_format'],
];

/** A path as the caller wrote it. */
export function toOpenaiName(path: string): string {
  const [from, to] = NAMES.find(([one]) => one.test(path)) ?? [/^/, ''];
  return path.replace(from, to);
}

function toOpenaiNames(text: string): string {
  return text.replace(/"([\w.[\]]+)"/g, (_quoted, path: string) => `"${toOpenaiName(path)}"`);
}
