// A conversation beyond the context of a model, in the words of each vendor as others have reported them.
import { describe, expect, it } from 'vitest';
import { toAnthropicFailure } from '../../../adapters/providers/anthropic/errors.ts';
import { toBedrockFailure } from '../../../adapters/providers/bedrock/errors.ts';
import { toOpenaiFailure } from '../../../adapters/providers/openai/errors.ts';
import { planRetry } from '../../../core/flow/call-target.ts';
import { kindOf, toProviderError } from '../../../core/flow/failure.ts';
import { OPENS_CIRCUIT } from '../../../core/ports/providers.ts';
import { renderAnthropicError } from '../../../core/surfaces/anthropic/errors.ts';
import { renderOpenaiError } from '../../../core/surfaces/openai/errors.ts';
import { renderResponsesError } from '../../../core/surfaces/responses/errors.ts';

const of = (status: number, json: unknown) => ({ status, headers: {}, json });
const openai = (error: object) => toOpenaiFailure(of(400, { error }), 0);
const anthropic = (message: string) =>
  toAnthropicFailure(of(400, { type: 'error', error: { type: 'invalid_request_error', message } }), 0);
const bedrock = (message: string) => toBedrockFailure(of(400, { __type: 'ValidationException', message }), 0);

describe('a conversation beyond the context of a model', () => {
  it.each([
    ['OpenAI by code', openai({ code: 'context_length_exceeded', param: 'messages', message: 'Too long.' })],
    ['llama.cpp by type', openai({ type: 'exceed_context_size_error', message: 'Too long.' })],
    [
      'vLLM by its words',
      openai({
        code: 400,
        type: 'BadRequestError',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      }),
    ],
    [
      'OpenRouter',
      openai({ code: 400, message: "This endpoint's maximum context length is 131072 tokens." }),
    ],
    ['Anthropic', anthropic('prompt is too long: 208310 tokens > 200000 maximum')],
    [
      'Anthropic, with the answer',
      anthropic(
        'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      ),
    ],
    ['Bedrock', bedrock('Input is too long for requested model.')],
    [
      'a model on Bedrock',
      bedrock('The model returned the following errors: Input is too long for requested model.'),
    ],
    [
      'Claude on Bedrock',
      bedrock('The model returned the following errors: prompt is too long: 208310 tokens > 200000 maximum'),
    ],
  ])('is known at %s', (_vendor, failure) => {
    expect(failure.kind).toBe('context_too_long');
    expect(kindOf(failure, new Set(['maxTokens']))).toBe('context_too_long');
    expect(
      toProviderError(failure, { target: 'p/m', sent: { system: [], messages: [] }, ofCaller: new Set() }),
    ).toMatchObject({
      code: 'context_too_long',
    });
  });

  it.each([
    ['a caller quoted at Anthropic', anthropic('messages.0: prompt is too long')],
    ['a caller quoted at Bedrock', bedrock('Unknown text: Input is too long for requested model.')],
    ['a caller quoted at OpenAI', openai({ message: "Bad text: This model's maximum context length is 5." })],
    ['another status', toAnthropicFailure(of(500, { error: { message: 'prompt is too long' } }), 0)],
  ])('is not taken from %s', (_what, failure) => {
    expect(failure.kind).not.toBe('context_too_long');
  });

  it('is neither tried again nor held against the provider', () => {
    const state = { retries: 0, maxRetries: 5, remainingMs: 60_000, hasFallback: false };
    expect(planRetry(anthropic('prompt is too long: 2 > 1'), state, { fraction: () => 0 })).toBeUndefined();
    expect(OPENS_CIRCUIT.has('context_too_long')).toBe(false);
  });

  it('is told to clients of OpenAI with the code and the words on which they make it shorter', () => {
    const { status, headers, body } = renderOpenaiError('context_too_long', {});
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({
      error: {
        message: "This model's maximum context length is exceeded. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    });
    expect(headers).not.toHaveProperty('Retry-After');
  });

  it('is told to clients of Responses and of Anthropic in their words', () => {
    expect(JSON.parse(renderResponsesError('context_too_long', {}).body)).toMatchObject({
      error: { code: 'context_length_exceeded', param: 'input' },
    });
    const { status, body } = renderAnthropicError('context_too_long', {});
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long (capability_rejected: prompt_too_long)',
      },
    });
  });
});

describe('a wait', () => {
  it.each([
    ['rate_limited', 12_000, 'Rate limit exceeded. Please try again in 12 s.'],
    ['usage_limit_exceeded', 3_599_001, 'Usage limit exceeded. Please try again in 3600 s.'],
    ['maintenance', 100, 'The service is in maintenance. Please try again in 1 s.'],
    ['deadline_exceeded', undefined, 'The execution took too long and was ended. Please try again in 1 s.'],
  ] as const)('of %s is in the message', (code, retryAfterMs, message) => {
    for (const render of [renderOpenaiError, renderResponsesError, renderAnthropicError]) {
      expect(JSON.parse(render(code, { retryAfterMs }).body)).toMatchObject({ error: { message } });
    }
  });
});
