// A run as a chat completion and as its chunks: what OpenAI's schema requires, and what its clients take in no other order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../core/contract/service-error.ts';
import { renderCompletion } from '../../../../core/surfaces/openai/answer.ts';
import { renderOpenaiError } from '../../../../core/surfaces/openai/errors.ts';
import { renderModels } from '../../../../core/surfaces/openai/models.ts';
import { createCompletionEncoder } from '../../../../core/surfaces/openai/stream.ts';
import type { RunResult } from '../../../../core/surfaces/surface.ts';
import { violationsOf } from './published-schema.ts';
import { scanStream } from './scan-stream.ts';

const HEAD = { executionId: 'ab+c/d=', model: 'acme/hello', timeMs: 1_790_000_000_999 };
const DONE: RunResult = {
  output: 'Hello',
  executionStopped: false,
  cache: 'miss',
  usage: { input: 11, output: 7 },
};
const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
};
const CALLS = [
  { id: 'c1', name: 'weather', arguments: { city: 'Bern' } },
  { id: 'c2', name: 'clock', arguments: {} },
];

interface Completion {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly { readonly message: object; readonly finish_reason: string }[];
  readonly usage: object;
}

function render(result: Partial<RunResult>, maySeeReceipt = false) {
  const answer = renderCompletion({ ...DONE, ...result }, HEAD, maySeeReceipt);
  const body = JSON.parse(answer.body) as Completion;
  expect(violationsOf('CreateChatCompletionResponse', body)).toEqual([]);
  return { ...answer, body, choice: body.choices[0] };
}

describe('a chat completion', () => {
  it('names the execution, the second and the model as the caller did', () => {
    const { status, headers, body } = render({});
    expect(body).toMatchObject({ id: 'chatcmpl-ab-c_d', created: 1_790_000_000, model: 'acme/hello' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Execution-Id': 'ab+c/d=',
      'X-Request-Id': 'ab+c/d=',
      'X-Cache': 'miss',
    });
  });

  it.each([
    ['stop', {}, { role: 'assistant', content: 'Hello', refusal: null }],
    ['length', { isCut: true }, { role: 'assistant', content: 'Hello', refusal: null }],
    ['content_filter', { executionStopped: true, isCut: true, toolCalls: CALLS }, { content: 'Hello' }],
    ['content_filter', { executionStopped: true, output: undefined }, { content: null }],
    ['tool_calls', { output: '', toolCalls: CALLS, isCut: true }, { content: null }],
    ['tool_calls', { output: 'Wait.', toolCalls: CALLS }, { content: 'Wait.' }],
    ['stop', { output: '' }, { content: '' }],
  ])('ends with %s for %j', (finish, result, message) => {
    const { choice } = render(result);
    expect(choice).toMatchObject({ finish_reason: finish, message });
  });

  it('has the arguments of calls as text, and no list where there are none', () => {
    const { choice } = render({ output: '', toolCalls: CALLS });
    expect(choice?.message).toMatchObject({
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
        { id: 'c2', type: 'function', function: { name: 'clock', arguments: '{}' } },
      ],
    });
    expect(render({}).choice?.message).not.toHaveProperty('tool_calls');
  });

  it('counts what was used, and nothing for an answer from the cache', () => {
    expect(render({}).body.usage).toEqual(USAGE);
    const { usage: _none, ...cached } = { ...DONE, cache: 'semantic' as const };
    const answer = renderCompletion(cached, HEAD, false);
    expect(answer.headers['X-Cache']).toBe('hit');
    expect(JSON.parse(answer.body)).toMatchObject({
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect(renderCompletion(cached, HEAD, true).headers['X-Cache']).toBe('semantic');
  });
});

const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 5 });
const calls = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1 }),
    name: fc.constantFrom('weather', 'clock'),
    arguments: fc.dictionary(fc.string(), fc.jsonValue()).map((object) => ({ ...object })),
  }),
  { maxLength: 4, selector: ({ id }) => id },
);

describe('the chunks of a completion', () => {
  it('are, for every answer, one line of data each, in the order that every client takes', () => {
    fc.assert(
      fc.property(
        texts,
        calls,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (pieces, toolCalls, usage, isCut, stopped) => {
          const encoder = createCompletionEncoder(HEAD, usage);
          const result = { ...DONE, output: pieces.join(''), toolCalls, isCut, executionStopped: stopped };
          const bytes = [
            ...pieces.map((piece) => encoder.text(piece)),
            ...toolCalls.map((call) => encoder.toolCall(call)),
            encoder.result(result, undefined),
          ].join('');
          const scanned = scanStream(bytes);
          expect(scanned.violations).toEqual([]);
          expect(scanned.text).toBe(result.output);
          expect(scanned.calls.map(({ arguments: options }) => JSON.parse(options))).toEqual(
            JSON.parse(JSON.stringify(toolCalls.map((call) => call.arguments))),
          );
          expect(scanned.finish).toBe(render(result).choice?.finish_reason);
          expect(scanned.usage).toEqual(usage ? USAGE : undefined);
          expect(bytes.includes('"usage"')).toBe(usage);
        },
      ),
    );
  });

  it('end with the error in place of a finish, whatever came before', () => {
    const encoder = createCompletionEncoder(HEAD, true);
    const error = renderOpenaiError('upstream_unavailable', {});
    const scanned = scanStream(encoder.text('Hel') + encoder.error(error));
    expect(scanned).toMatchObject({
      text: 'Hel',
      finish: undefined,
      error: { code: 'upstream_unavailable' },
    });
    expect(scanned.violations).toEqual([]);
    expect(scanStream(createCompletionEncoder(HEAD, true).error(error)).violations).toEqual([]);
  });
});

describe('the neuron as a model', () => {
  const model = { organization: 'acme', neuron: 'hello', executionId: 'e1' };

  it('is the only one of its list', () => {
    const { body, headers } = renderModels(model, undefined);
    expect(violationsOf('ListModelsResponse', JSON.parse(body))).toEqual([]);
    expect(JSON.parse(body)).toMatchObject({ data: [{ id: 'acme/hello', owned_by: 'acme' }] });
    expect(headers).toMatchObject({ 'X-Request-Id': 'e1' });
  });

  it.each(['hello', 'acme/hello'])('is found by %s', (id) => {
    const { body } = renderModels(model, id);
    expect(violationsOf('Model', JSON.parse(body))).toEqual([]);
    expect(JSON.parse(body)).toMatchObject({ id });
  });

  it.each(['', 'acme', 'other', 'acme/other', 'evil/hello', 'acme%2Fhello', 'acme/hello/v1'])(
    'is not found by %j',
    (id) => {
      expect(() => renderModels(model, id)).toThrow(new ServiceError('model_not_found'));
    },
  );
});
