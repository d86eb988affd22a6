// Errors as OpenAI's clients read them, and what makes each of them wait once, or stop.
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../../../core/contract/error-codes.ts';
import { renderOpenaiError } from '../../../../core/surfaces/openai/errors.ts';
import { OPENAI } from '../../../../core/surfaces/openai/index.ts';
import { violationsOf } from './published-schema.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

type Detail = Parameters<typeof renderOpenaiError>[1];

function errorOf(code: ErrorCode, detail: Detail = {}) {
  const { status, headers, body } = renderOpenaiError(code, detail);
  const { error } = JSON.parse(body) as { error: Record<string, string | null> };
  return { status, headers, error };
}

describe('an error of the OpenAI surface', () => {
  it.each(CODES)('%s has the published form, and names its execution twice', (code) => {
    const { headers, body } = renderOpenaiError(code, { executionId: 'e1' });
    expect(violationsOf('ErrorResponse', JSON.parse(body))).toEqual([]);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Execution-Id': 'e1',
      'X-Request-Id': 'e1',
    });
    expect(renderOpenaiError(code, {}).headers).not.toHaveProperty('X-Request-Id');
  });

  it.each([
    ['malformed_json', 400, 'invalid_request_error', 'malformed_json', null],
    ['malformed_body', 400, 'invalid_request_error', 'malformed_body', null],
    ['unauthorized', 401, 'invalid_request_error', 'invalid_api_key', null],
    ['referer_not_allowed', 403, 'permission_error', 'referer_not_allowed', null],
    ['ip_not_allowed', 403, 'permission_error', 'ip_not_allowed', null],
    ['access_closed', 403, 'permission_error', 'access_closed', null],
    ['not_found', 404, 'invalid_request_error', 'model_not_found', 'model'],
    ['deployment_not_found', 404, 'invalid_request_error', 'model_not_found', 'model'],
    ['model_not_found', 404, 'invalid_request_error', 'model_not_found', 'model'],
    ['route_not_found', 404, 'invalid_request_error', 'unknown_url', null],
    ['invalid_input', 400, 'invalid_request_error', 'invalid_input', null],
    ['input_too_large', 400, 'invalid_request_error', 'input_too_large', null],
    ['invalid_parameter', 400, 'invalid_request_error', 'invalid_parameter', null],
    ['not_accepted', 400, 'invalid_request_error', 'not_accepted', null],
    ['provider_rejected_input', 400, 'invalid_request_error', 'provider_rejected_input', null],
    ['context_too_long', 400, 'invalid_request_error', 'context_length_exceeded', 'messages'],
    ['idempotency_in_progress', 409, 'invalid_request_error', 'idempotency_in_progress', null],
    ['idempotency_mismatch', 400, 'invalid_request_error', 'idempotency_mismatch', null],
    ['rate_limited', 429, 'requests', 'rate_limit_exceeded', null],
    ['too_many_at_once', 429, 'requests', 'rate_limit_exceeded', null],
    ['usage_limit_exceeded', 429, 'requests', 'rate_limit_exceeded', null],
    ['organization_paused', 429, 'requests', 'rate_limit_exceeded', null],
    ['throttled', 429, 'requests', 'rate_limit_exceeded', null],
    ['internal', 500, 'server_error', 'internal', null],
    ['missing_deployment', 500, 'server_error', 'missing_deployment', null],
    ['configuration', 500, 'server_error', 'configuration', null],
    ['maintenance', 503, 'server_error', 'maintenance', null],
    ['overloaded', 503, 'server_error', 'overloaded', null],
    ['upstream_unavailable', 503, 'server_error', 'upstream_unavailable', null],
    ['dependency_unavailable', 503, 'server_error', 'dependency_unavailable', null],
    ['deadline_exceeded', 503, 'server_error', 'deadline_exceeded', null],
  ] as const)('%s is %i %s %s', (own, status, type, code, param) => {
    const { status: answered, error } = errorOf(own);
    expect(answered).toBe(status);
    expect(error).toMatchObject({ type, code, param });
  });

  it.each(CODES)('%s is called again after its wait, or not at all', (code) => {
    const { status, headers } = errorOf(code, { retryAfterMs: 1_001 });
    const waits = [409, 429, 503].includes(status) && code !== 'feedback_exists';
    expect(headers['Retry-After']).toBe(waits ? '2' : undefined);
    // Clients call again after 409 and every 5xx besides.
    const isFinal = status === 500 || code === 'feedback_exists' || code === 'feedback_too_late';
    expect(headers['X-Should-Retry']).toBe(isFinal ? 'false' : undefined);
  });

  it.each(['rate_limited', 'usage_limit_exceeded', 'organization_paused', 'maintenance'] as const)(
    '%s that lasts more than a minute stops every client',
    (code) => {
      const minute = errorOf(code, { retryAfterMs: 60_000 });
      expect(minute.headers).toMatchObject({ 'Retry-After': '60' });
      expect(minute.headers).not.toHaveProperty('X-Should-Retry');
      expect(minute.error['code']).not.toBe('insufficient_quota');

      const longer = errorOf(code, { retryAfterMs: 60_001 });
      expect(longer.headers).toMatchObject({ 'Retry-After': '61', 'X-Should-Retry': 'false' });
      expect(longer.error).toMatchObject({
        type: longer.status === 429 ? 'insufficient_quota' : 'server_error',
        code: 'insufficient_quota',
        param: null,
        message: ERROR_CODES[code].text.replace(/Try again .*/, 'Please try again in 61 s.'),
      });
    },
  );

  it.each([
    ['messages[3].content', 'messages[3].content'],
    ['parameters.maxTokens', 'max_completion_tokens'],
    ['parameters.topP', 'top_p'],
    ['parameters.temperature', 'temperature'],
    ['parameters.stop[1]', 'stop[1]'],
    ['toolChoice', 'tool_choice'],
    ['tools[0].function.name', 'tools[0].function.name'],
    ['responseFormat', 'response_format'],
  ])('names %s as %s, in the text too', (param, expected) => {
    const { error } = errorOf('invalid_input', { param, text: `"${param}" must not be that.` });
    expect(error).toMatchObject({ param: expected, message: `"${expected}" must not be that.` });
  });

  it('names the older limit for a caller who uses it', () => {
    const detail = { param: 'parameters.maxTokens', text: '"parameters.maxTokens": no.' };
    const { error } = errorOf('not_accepted', { ...detail, usesMaxTokens: true });
    expect(error).toMatchObject({ param: 'max_tokens', message: '"max_tokens": no.' });
  });

  it.each(CODES)('%s says nothing of the other form in its own text', (code) => {
    expect(errorOf(code).error['message']).not.toMatch(/"input"|rawOutput/);
  });

  it('shows remaining limits with 429 alone, and says what they count', () => {
    const rateLimit = {
      name: 'ip-tokens-1m',
      metric: 'tokens',
      limit: 5,
      windowMs: 60_000,
      remaining: 0,
      resetMs: 30_000,
    } as const;
    const limited = OPENAI.renderError('rate_limited', { rateLimit, retryAfterMs: 30_000 });
    expect(limited.headers).toMatchObject({ RateLimit: '"ip-tokens-1m";r=0;t=30' });
    expect(JSON.parse(limited.body)).toMatchObject({
      error: { type: 'tokens', code: 'rate_limit_exceeded' },
    });
    expect(OPENAI.renderError('internal', { rateLimit }).headers).not.toHaveProperty('RateLimit');
  });
});
