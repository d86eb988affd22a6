// Renders an error as OpenAI's clients read it (github.com/openai/openai-openapi, ErrorResponse), with the headers on which they decide to call again.

import { ERROR_CODES, type ErrorCode, statusOf } from '../../contract/error-codes.ts';
import { RESPONSE_HEADERS } from '../../contract/headers.ts';
import { errorHeaders } from '../headers.ts';
import { type CallerNames, renamePath } from '../paths.ts';
import { retryOf, withWait } from '../retry.ts';
import type { Answer, ErrorDetail } from '../surface.ts';

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

/** Our codes that have another type or code at OpenAI. */
const PAIRS: Readonly<Partial<Record<ErrorCode, Pair>>> = {
  unauthorized: { type: INVALID, code: 'invalid_api_key' },
  not_found: UNKNOWN_MODEL,
  deployment_not_found: UNKNOWN_MODEL,
  model_not_found: UNKNOWN_MODEL,
  route_not_found: { type: INVALID, code: 'unknown_url' },
  // Agents make their conversation shorter at this code, LiteLLM at the text.
  context_too_long: { type: INVALID, code: 'context_length_exceeded', param: 'messages' },
  guard_blocked: { type: INVALID, code: 'content_filter' },
};

/** Texts for codes whose own text speaks of the native form. */
const TEXTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  // LiteLLM takes a 401 for an error of authentication by these words only (litellm/utils, exception_mapping_utils.py).
  unauthorized: 'Incorrect API key provided. Send a valid API key or JWT as "Authorization: Bearer <token>".',
  malformed_json:
    'The request body is not valid JSON. Send a chat completion: {"model":"...","messages":[...]}.',
  malformed_body: 'The request body must be a JSON object: {"model":"...","messages":[...]}.',
  invalid_input: 'Send a conversation as "messages".',
  input_too_large: 'The conversation is longer than this neuron allows.',
  provider_rejected_input: 'The model does not accept this conversation. Shorten it or change it.',
  context_too_long:
    "This model's maximum context length is exceeded. Please reduce the length of the messages.",
  invalid_parameter: 'A query parameter is invalid. "bypassCache" takes true, false, 1 or 0, once.',
};

/** Renders the error of a request. `param` and `text` are those of the thrown error, in the service's own names. */
export function renderOpenaiError(
  code: ErrorCode,
  detail: Omit<ErrorDetail, 'invocation'> & {
    /** True for a caller who limits the answer by the older name. */
    readonly usesMaxTokens?: boolean | undefined;
    /** In place of those that speak of conversations. */
    readonly texts?: Readonly<Partial<Record<ErrorCode, string>>>;
  },
): Answer {
  const status = openaiStatusOf(code);
  const retry = retryOf(code, status, detail.retryAfterMs);
  const {
    type,
    code: openaiCode = code,
    param,
  } = retry.lasts ? lasting(status) : pairOf(code, status, detail.rateLimit?.metric);
  const nameOf = (path: string) => toOpenaiName(path, detail.usesMaxTokens);
  const at = detail.param === undefined ? param : nameOf(detail.param);
  const body: OpenaiError = {
    error: {
      message: withWait(
        detail.text ?? detail.texts?.[code] ?? TEXTS[code] ?? ERROR_CODES[code].text,
        retry.seconds,
      ).replace(QUOTED_PATH, (_, path) => `"${nameOf(path)}"`),
      type,
      param: at ?? null,
      code: openaiCode,
    },
  };
  return {
    status,
    headers: {
      ...errorHeaders(status, retry.seconds, detail),
      ...requestIdHeaders(detail.executionId),
      ...retry.headers,
    },
    body: JSON.stringify(body),
  };
}

/** OpenAI answers 400 where this service has 422. */
export function openaiStatusOf(code: ErrorCode): number {
  return statusOf(code) === 422 ? 400 : statusOf(code);
}

/** The execution id, also under the name that OpenAI's clients read. */
export function requestIdHeaders(executionId: string | undefined): Record<string, string> {
  if (executionId === undefined) return {};
  return { [RESPONSE_HEADERS.executionId]: executionId, [RESPONSE_HEADERS.requestId]: executionId };
}

/** LangChain's clients give up only at this code, whatever the status and the headers say. */
function lasting(status: number): Pair {
  return { type: status === 429 ? 'insufficient_quota' : 'server_error', code: 'insufficient_quota' };
}

function pairOf(code: ErrorCode, status: number, metric: 'requests' | 'tokens' = 'requests'): Pair {
  const pair = PAIRS[code];
  if (pair !== undefined) return pair;
  if (status === 429) return { type: metric, code: 'rate_limit_exceeded' };
  if (status === 403) return { type: 'permission_error' };
  return { type: status >= 500 ? 'server_error' : INVALID };
}

/** The service's own names of members, and OpenAI's. */
const NAMES: CallerNames = [
  [/^parameters\.maxTokens/, 'max_completion_tokens'],
  [/^parameters\.topP/, 'top_p'],
  [/^parameters\.frequencyPenalty/, 'frequency_penalty'],
  [/^parameters\.presencePenalty/, 'presence_penalty'],
  [/^parameters\.logitBias/, 'logit_bias'],
  [/^parameters\.reasoningEffort/, 'reasoning_effort'],
  [/^parameters\.parallelToolCalls/, 'parallel_tool_calls'],
  [/^parameters\./, ''],
  [/^promptCacheKey/, 'prompt_cache_key'],
  [/^toolChoice/, 'tool_choice'],
  [/^responseFormat/, 'response_format'],
];

/** A member's path as texts quote it. */
export const QUOTED_PATH = /"([\w.[\]*]+)"/g;

/** A path as the caller wrote it. */
export function toOpenaiName(path: string, usesMaxTokens = false): string {
  if (usesMaxTokens && path === 'parameters.maxTokens') return 'max_tokens';
  return renamePath(path, NAMES);
}
