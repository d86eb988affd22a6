// A run as a message and as its events: the members that Anthropic's schema requires, and numbered blocks of which one is open at a time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../core/contract/error-codes.ts';
import { renderAnthropicError } from '../../../../core/surfaces/anthropic/errors.ts';
import { renderMessage } from '../../../../core/surfaces/anthropic/message.ts';
import { createMessageEncoder } from '../../../../core/surfaces/anthropic/stream.ts';
import type { RunResult, StreamEncoder } from '../../../../core/surfaces/surface.ts';

const HEAD = { executionId: 'ab+c/d=', model: 'claude-x' };
const DONE: RunResult = {
  output: 'Hello',
  executionStopped: false,
  cache: 'miss',
  usage: { input: 11, output: 7 },
};
const CALL = { id: 'c1', name: 'weather', arguments: { city: 'Bern' } };

const render = (result: Partial<RunResult>) =>
  JSON.parse(renderMessage({ ...DONE, ...result }, HEAD, false).body) as Record<string, unknown>;

describe('a message', () => {
  it('has every member that the published schema requires', () => {
    expect(render({ toolCalls: [CALL] })).toEqual({
      id: 'msg_ab-c_d',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [
        { type: 'text', text: 'Hello', citations: null },
        { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Bern' }, caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      container: null,
      usage: {
        input_tokens: 11,
        output_tokens: 7,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        service_tier: 'standard',
        inference_geo: null,
        speed: null,
      },
    });
  });

  it.each([
    [{}, 'end_turn'],
    [{ isCut: true }, 'max_tokens'],
    [{ executionStopped: true }, 'refusal'],
    [{ toolCalls: [CALL], isCut: true }, 'tool_use'],
  ] as const)('that ended with %j says %s', (result, reason) => {
    expect(render(result)['stop_reason']).toBe(reason);
  });

  it('without a text has no block for it', () => {
    expect(render({ output: undefined, executionStopped: true })['content']).toEqual([]);
  });
});

interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly message?: { readonly usage: { readonly input_tokens: number } };
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  readonly error?: { readonly type: string; readonly message: string };
}

function encode(steps: readonly ((encoder: StreamEncoder) => string)[]): MessageEvent[] {
  const encoder = createMessageEncoder(HEAD, () => 42);
  const blocks = steps
    .map((step) => step(encoder))
    .join('')
    .split('\n\n');
  expect(blocks.pop()).toBe('');
  return blocks.map((block) => {
    const [, name, data = '{}'] = /^event: ([\w.]+)\ndata: ([^\n\r]+)$/.exec(block) ?? [];
    const event = JSON.parse(data) as MessageEvent;
    expect(event.type).toBe(name);
    return event;
  });
}

describe('the events of a message', () => {
  it('number their blocks, with the tokens of the input in the first event and in the last', () => {
    const events = encode([
      (encoder) => encoder.text('Hel'),
      (encoder) => encoder.text('lo'),
      (encoder) => encoder.toolCall(CALL),
      (encoder) => encoder.result({ ...DONE, toolCalls: [CALL] }, undefined),
    ]);
    expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_stop 1',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0]?.message?.usage.input_tokens).toBe(42);
    expect(events[6]?.delta).toEqual({ type: 'input_json_delta', partial_json: '{"city":"Bern"}' });
    expect(events[8]).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 42, output_tokens: 7 },
    });
  });

  it('end with the error of a failure, and with nothing after it', () => {
    const failure = renderAnthropicError('upstream_unavailable', { executionId: 'e' });
    const events = encode([(encoder) => encoder.text('Hel'), (encoder) => encoder.error(failure)]);
    expect(events.at(-1)).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'The model provider is unavailable. Please try again in 1 s.' },
      request_id: 'e',
    });
    expect(events.map(({ type }) => type)).not.toContain('message_stop');
  });

  it('open and close one block after the other, whatever a run says', () => {
    const part = fc.constantFrom(
      (encoder: StreamEncoder) => encoder.text('a'),
      (encoder: StreamEncoder) => encoder.toolCall(CALL),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const events = encode([...parts, (encoder) => encoder.result(DONE, undefined)]);
        let open: number | undefined;
        let next = 0;
        for (const { type, index } of events) {
          if (type === 'content_block_start') {
            expect([open, index]).toEqual([undefined, next]);
            open = index;
          } else if (type === 'content_block_delta') expect(index).toBe(open);
          else if (type === 'content_block_stop') {
            expect(index).toBe(open);
            open = undefined;
            next += 1;
          }
        }
        expect(open).toBeUndefined();
        expect(events.at(-1)?.type).toBe('message_stop');
      }),
    );
  });
});

describe('an error', () => {
  const render = (code: ErrorCode, detail = {}) => {
    const { status, headers, body } = renderAnthropicError(code, { executionId: 'e', ...detail });
    return {
      status,
      headers,
      error: (JSON.parse(body) as { error: { type: string; message: string } }).error,
    };
  };

  it.each([
    ['malformed_json', 400, 'invalid_request_error'],
    ['unauthorized', 401, 'authentication_error'],
    ['ip_not_allowed', 403, 'permission_error'],
    ['model_not_found', 404, 'not_found_error'],
    ['idempotency_in_progress', 409, 'conflict_error'],
    ['input_too_large', 413, 'request_too_large'],
    ['invalid_input', 400, 'invalid_request_error'],
    ['rate_limited', 429, 'rate_limit_error'],
    ['internal', 500, 'api_error'],
    ['overloaded', 503, 'api_error'],
  ] as const)('%s is %d %s', (code, status, type) => {
    const { headers, ...answer } = render(code);
    expect(answer).toMatchObject({ status, error: { type } });
    expect(headers['Request-Id']).toBe('e');
  });

  it('that lasts is a matter of billing, and says that calling again is useless', () => {
    const { headers, error } = render('usage_limit_exceeded', { retryAfterMs: 3_600_000 });
    expect(error.type).toBe('billing_error');
    expect(headers).toMatchObject({ 'Retry-After': '3600', 'X-Should-Retry': 'false' });
    expect(render('rate_limited', { retryAfterMs: 2_000 }).headers).not.toHaveProperty('X-Should-Retry');
  });

  it('never lets a client sleep for longer than a minute', () => {
    for (const code of ['rate_limited', 'overloaded', 'maintenance'] as const) {
      expect(render(code, { retryAfterMs: 60_001 }).headers['X-Should-Retry']).toBe('false');
      expect(render(code, { retryAfterMs: 60_000 }).headers).not.toHaveProperty('X-Should-Retry');
    }
  });

  it.each([
    ['"messages[3].content[1]" must be a part.', 'messages.3.content.1: must be a part.'],
    ['"parameters.maxTokens" must be a number.', 'max_tokens: must be a number.'],
    ['A query parameter is invalid. "x" takes 1.', 'A query parameter is invalid. "x" takes 1.'],
  ])('writes the path of %s as Anthropic does', (text, expected) => {
    expect(render('invalid_input', { text }).error.message).toBe(expected);
  });
});
