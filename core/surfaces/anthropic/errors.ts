// Renders an error as Anthropic's clients read it (platform.claude.com/docs/en/api/errors), with the words and headers on which they decide to call again.

import { ERROR_CODES, type ErrorCode, statusOf } from '../../contract/error-codes.ts';
import { RESPONSE_HEADERS } from '../../contract/headers.ts';
import { errorHeaders } from '../headers.ts';
import { type CallerNames, renamePath } from '../paths.ts';
import { retryOf, withWait } from '../retry.ts';
import type { Answer, ErrorDetail } from '../surface.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
};

/** Texts for codes whose own text speaks of another form. */
const TEXTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  malformed_json:
    'The request body is not valid JSON. Send a message: {"model":"...","max_tokens":1024,"messages":[...]}.',
  malformed_body:
    'The request body must be a JSON object: {"model":"...","max_tokens":1024,"messages":[...]}.',
  unauthorized: 'Authentication failed. Send a valid API key as "x-api-key" or "Authorization: Bearer".',
  invalid_input: 'Send a conversation as "messages".',
  input_too_large: 'The conversation is longer than this neuron allows.',
  provider_rejected_input: 'The model does not accept this conversation. Shorten it or change it.',
  // The words on which Claude Code makes its conversation shorter.
  context_too_long: 'prompt is too long (capability_rejected: prompt_too_long)',
  invalid_parameter: 'A query parameter is invalid. "bypassCache" takes true, false, 1 or 0, once.',
};

/** Renders the error of a request. `param` and `text` are those of the thrown error, in the service's own names. */
export function renderAnthropicError(code: ErrorCode, detail: Omit<ErrorDetail, 'invocation'>): Answer {
  const status = anthropicStatusOf(code);
  const retry = retryOf(code, status, detail.retryAfterMs);
  // The type on which agents show the message in place of calling again.
  const type = retry.lasts && status === 429 ? 'billing_error' : TYPES[status];
  const text = withWait(detail.text ?? TEXTS[code] ?? ERROR_CODES[code].text, retry.seconds);
  const message = toAnthropicPaths(text);
  return {
    status,
    headers: {
      ...errorHeaders(status, retry.seconds, detail),
      ...requestIdHeaders(detail.executionId),
      ...retry.headers,
    },
    body: JSON.stringify({
      type: 'error',
      error: { type, message },
      request_id: detail.executionId ?? null,
    }),
  };
}

/** Anthropic answers 400 where this service has 422, and 413 for a body that is too long. */
export function anthropicStatusOf(code: ErrorCode): number {
  if (code === 'input_too_large') return 413;
  return statusOf(code) === 422 ? 400 : statusOf(code);
}

/** The execution id, also under the name that Anthropic's clients read. */
export function requestIdHeaders(executionId: string | undefined): Record<string, string> {
  if (executionId === undefined) return {};
  return { [RESPONSE_HEADERS.executionId]: executionId, [RESPONSE_HEADERS.anthropicRequestId]: executionId };
}

/** The path of a member, at the start of a text. */
const QUOTED_PATH = /^"([\w.[\]*]+)" /;

/** The service's own names of members, which are those of Chat Completions within messages and tools, and those of this interface. */
const NAMES: CallerNames = [
  [/^parameters\.maxTokens/, 'max_tokens'],
  [/^parameters\.reasoningEffort/, 'output_config.effort'],
  [/^parameters\.stop/, 'stop_sequences'],
  [/^parameters\.temperature/, 'temperature'],
  [/^parameters\.topP/, 'top_p'],
  [/^(tools\[\d+\])\.function\.parameters/, '$1.input_schema'],
  [/^(messages\[.*)\.function\.arguments/, '$1.input'],
  [/^((?:tools|messages)\[.*)\.function\./, '$1.'],
  [/^(output_config\.format)\.json_schema/, '$1'],
  [/\.file\.filename$/, '.title'],
  [/\.(?:image_url|file)\..*$/, '.source'],
];

/** `"messages[3].content" must…` as `messages.3.content: must…`, which is how Anthropic writes paths. */
function toAnthropicPaths(text: string): string {
  return text.replace(QUOTED_PATH, (_, path: string) => {
    return `${toAnthropicName(path).replaceAll(/\[(\d+)\]/g, '.$1')}: `;
  });
}

/** A path in the names of this interface. */
export function toAnthropicName(path: string): string {
  return renamePath(path, NAMES);
}
