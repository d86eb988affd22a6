// A run as a response and as its events: every member that strict readers require, in the one order that all clients take.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderOpenaiError } from '../../../../core/surfaces/openai/errors.ts';
import { type ResponseHead, renderResponse } from '../../../../core/surfaces/responses/response.ts';
import { createResponseEncoder } from '../../../../core/surfaces/responses/stream.ts';
import type { RunResult, StreamEncoder } from '../../../../core/surfaces/surface.ts';
import { scanEvents } from './scan-events.ts';

const HEAD: ResponseHead = {
  executionId: 'ab+c/d=',
  timeMs: 1_790_000_000_999,
  repeated: {
    model: 'acme/coder',
    instructions: null,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    text: { format: { type: 'text' } },
    temperature: 1,
    top_p: 1,
    max_output_tokens: null,
    reasoning: { effort: null, summary: null },
    metadata: {},
    safety_identifier: null,
    prompt_cache_key: null,
  },
};
const DONE: RunResult = {
  output: 'Hello',
  executionStopped: false,
  cache: 'miss',
  usage: { input: 11, output: 7 },
};
const CALLS = [
  { id: 'c1', namespace: 'mcp__maps', name: 'weather', arguments: { city: 'Bern' } },
  { id: 'c2', name: 'clock', arguments: '{"broken' },
];
/** Open Responses 2026-04-24, ResponseResource: required. */
const MEMBERS =
  'id object created_at completed_at status incomplete_details model previous_response_id instructions output error tools ' +
  'tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature reasoning ' +
  'usage max_output_tokens max_tool_calls store background service_tier metadata safety_identifier prompt_cache_key';

function render(result: Partial<RunResult>) {
  const answer = renderResponse({ ...DONE, ...result }, HEAD, false);
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> };
}

describe('a response', () => {
  it('has every member, ids of the execution, and says that nothing is stored', () => {
    const { status, headers, body } = render({});
    expect(Object.keys(body).toSorted()).toEqual(MEMBERS.split(' ').toSorted());
    expect(body).toMatchObject({
      id: 'resp_ab-c_d',
      created_at: 1_790_000_000,
      status: 'completed',
      store: false,
      output: [
        {
          id: 'msg_ab-c_d_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 18,
      },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'X-Request-Id': 'ab+c/d=', 'X-Cache': 'miss' });
  });

  it('names a tool by the pair of namespace and name, and leaves broken arguments as they are', () => {
    expect(render({ output: '', toolCalls: CALLS }).body['output']).toEqual([
      {
        id: 'fc_ab-c_d_0',
        type: 'function_call',
        status: 'completed',
        call_id: 'c1',
        namespace: 'mcp__maps',
        name: 'weather',
        arguments: '{"city":"Bern"}',
      },
      {
        id: 'fc_ab-c_d_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'c2',
        name: 'clock',
        arguments: '{"broken',
      },
    ]);
  });

  it.each([
    [{ isCut: true }, 'incomplete', { reason: 'max_output_tokens' }],
    [{ executionStopped: true }, 'incomplete', { reason: 'content_filter' }],
    [{ isCut: true, toolCalls: CALLS }, 'completed', null],
  ] as const)('that ended with %j is %s', (result, status, details) => {
    expect(render(result).body).toMatchObject({ status, incomplete_details: details });
  });

  it('of a run that was stopped without a text is a message with an empty one', () => {
    const { output } = render({ output: undefined, executionStopped: true }).body;
    expect(output).toMatchObject([{ type: 'message', status: 'incomplete', content: [{ text: '' }] }]);
  });
});

const encode = (steps: readonly ((encoder: StreamEncoder) => string)[]) => {
  const encoder = createResponseEncoder(HEAD);
  return scanEvents(steps.map((step) => step(encoder)).join(''));
};
const FAILURE = renderOpenaiError('upstream_unavailable', { executionId: 'ab+c/d=' });

describe('the events of a response', () => {
  it('come in the order that OpenAI sends them', () => {
    const { types, last, text, violations } = encode([
      (encoder) => encoder.text('Hel'),
      (encoder) => encoder.text('lo'),
      (encoder) => encoder.result(DONE, undefined),
    ]);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(violations).toEqual([]);
    expect(text).toBe('Hello');
    expect(last).toEqual(render({}).body);
  });

  it('of calls have an item for each, begun without arguments', () => {
    const result = { ...DONE, toolCalls: CALLS };
    const { types, events, violations } = encode([
      (encoder) => encoder.text('Hello'),
      ...CALLS.map((call) => (encoder: StreamEncoder) => encoder.toolCall(call)),
      (encoder) => encoder.result(result, undefined),
    ]);
    expect(violations).toEqual([]);
    expect(types.slice(8, 13)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.output_item.added',
    ]);
    expect(events[8]?.item).toMatchObject({ type: 'function_call', status: 'in_progress', arguments: '' });
    expect(events.at(-1)?.response).toEqual(JSON.parse(renderResponse(result, HEAD, false).body));
  });

  it('of a failure are the error that most clients read, and the failed response that the others do', () => {
    const { types, events, last, violations } = encode([
      (encoder) => encoder.text('Hel'),
      (encoder) => encoder.error(FAILURE),
    ]);
    expect(violations).toEqual([]);
    expect(types.slice(-2)).toEqual(['error', 'response.failed']);
    expect(events.at(-2)?.error).toEqual({
      message: 'The model provider is unavailable. Please try again in 1 s.',
      type: 'server_error',
      param: null,
      code: 'upstream_unavailable',
    });
    expect(last).toMatchObject({
      status: 'failed',
      usage: null,
      error: { code: 'server_error' },
      output: [{ status: 'incomplete', content: [{ text: 'Hel' }] }],
    });
  });

  it.each([
    ['rate_limited', { retryAfterMs: 2_000 }, 'rate_limit_exceeded'],
    ['usage_limit_exceeded', { retryAfterMs: 3_600_000 }, 'insufficient_quota'],
    ['internal', {}, 'server_error'],
    ['provider_rejected_input', {}, 'invalid_prompt'],
  ] as const)('of %s fail with the code %s of %s', (code, detail, expected) => {
    const { last } = encode([(encoder) => encoder.error(renderOpenaiError(code, detail))]);
    expect(last?.error?.code).toBe(expected);
  });

  it('keep their order whatever a run says', () => {
    const part = fc.oneof(
      fc
        .string({ minLength: 1, unit: 'binary' })
        .map((text) => (encoder: StreamEncoder) => encoder.text(text)),
      fc.nat().map((id) => (encoder: StreamEncoder) => {
        return encoder.toolCall({ id: `c${id}`, name: 'f', arguments: { id } });
      }),
    );
    const end = fc.constantFrom(
      (encoder: StreamEncoder) => encoder.result(DONE, undefined),
      (encoder: StreamEncoder) => encoder.result({ ...DONE, isCut: true }, undefined),
      (encoder: StreamEncoder) => encoder.error(FAILURE),
    );
    fc.assert(
      fc.property(fc.array(part), end, (parts, last) => {
        expect(encode([...parts, last]).violations).toEqual([]);
      }),
    );
  });
});
