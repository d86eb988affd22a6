// Spans of a log entry: the caller's trace goes on, every attempt is a span, and no text of anybody is in them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry, LoggedModelCall } from '../../../../core/contract/log-entry.ts';
import { attemptSpanId, toAttemptTraceparent } from '../../../../core/contract/traceparent.ts';
import { rejectedSpans, renderTraces } from '../../../../core/logs/traces/otlp.ts';
import { toSpans } from '../../../../core/logs/traces/to-spans.ts';
import { anyFacts, entryOf, FACTS, NOON_MS } from '../entries.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ENTRY: LogEntry = entryOf({ traceparent: TRACEPARENT });
const [CALL] = FACTS.run!.modelCalls as [LoggedModelCall];

const attributesOf = (span: ReturnType<typeof toSpans>[number]) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('the spans of an entry', () => {
  it('are the request in the trace of its caller, and the model call in the request', () => {
    const [request, call, ...others] = toSpans(ENTRY);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      ...{ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' },
      ...{ name: 'POST acme/hello', kind: 2, startTimeUnixNano: `${NOON_MS}000000` },
      endTimeUnixNano: `${NOON_MS + 120}000000`,
    });
    expect(attributesOf(request!)).toMatchObject({
      'http.response.status_code': '200',
      'neuron.execution.id': 'exec-1',
    });
    expect(call).toMatchObject({
      ...{ traceId: request!.traceId, parentSpanId: request!.spanId, name: 'chat m-1', kind: 3 },
      ...{ startTimeUnixNano: `${NOON_MS + 1}000000`, endTimeUnixNano: `${NOON_MS + 101}000000` },
    });
    expect(attributesOf(call!)).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'demo',
      'gen_ai.request.model': 'm-1',
      'gen_ai.response.model': 'm-1-2026',
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'gen_ai.usage.input_tokens': '3',
      'gen_ai.usage.output_tokens': '5',
    });
  });

  it('say what guards found by guard, action, stage and kind, and which service gave no verdict', () => {
    const found = { guard: 'pii', type: 'pii', stage: 'input', action: 'mask' };
    const asked = { guard: 'ours', type: 'webhook', stage: 'output', action: 'block', finds: [] };
    const guards = [
      { ...found, message: 0, finds: [{ type: 'email', count: 2 }] },
      { ...found, message: 1, finds: [{ type: 'email', count: 1 }] },
      { ...asked, ms: 12 },
      { ...asked, ms: 900, notJudged: 'timeout' },
    ];
    const [request] = toSpans({ ...entryOf(), guards });
    expect(attributesOf(request!)['neuron.guards']).toEqual({
      values: [
        { stringValue: 'pii mask input email' },
        { stringValue: 'ours block output not judged: timeout' },
      ],
    });
    expect(attributesOf(toSpans(entryOf())[0]!)).not.toHaveProperty('neuron.guards');
  });

  it('are in a trace of their own where the caller sent none, the same one at every delivery', () => {
    const [request, call] = toSpans(entryOf());
    expect(request!.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(request!.parentSpanId).toBeUndefined();
    expect(call!.traceId).toBe(request!.traceId);
    expect(toSpans(entryOf())).toEqual([request, call]);
    expect(toSpans(entryOf({ executionId: 'exec-2' }))[0]!.traceId).not.toBe(request!.traceId);
  });

  it('are one for each attempt, with the ids that the providers were told of', () => {
    const attemptTimes = [
      { atMs: 0, latencyMs: 10, failure: 'unavailable' },
      { atMs: 30, latencyMs: 70 },
    ];
    const retried = { ...CALL, attempts: 2, attemptTimes, firstTextMs: 50 };
    const failed = { ...CALL, finish: 'timeout', provider: 'other', latencyMs: 40 };
    const run = { ...FACTS.run!, modelCalls: [{ ...CALL, finish: 'embedding' }, failed, retried] };
    const [, embedding, ...attempts] = toSpans(entryOf({ run, traceparent: TRACEPARENT }));
    expect(attributesOf(embedding!)).toMatchObject({ 'gen_ai.operation.name': 'embeddings' });
    expect(attempts.map(({ spanId }) => spanId)).toEqual(
      [0, 1, 2].map((number) => attemptSpanId('exec-1', number)),
    );
    expect(toAttemptTraceparent(TRACEPARENT, 'exec-1', 1)).toContain(attempts[1]!.spanId);
    expect(attempts.map((span) => attributesOf(span)['error.type'])).toEqual([
      'timeout',
      'unavailable',
      undefined,
    ]);
    expect(attempts.map(({ status }) => status?.code)).toEqual([2, 2, undefined]);
    expect(attributesOf(attempts[1]!)).not.toHaveProperty(['gen_ai.usage.input_tokens']);
    expect(attributesOf(attempts[2]!)).toMatchObject({ 'gen_ai.response.time_to_first_chunk': 0.02 });
    expect(BigInt(attempts[2]!.startTimeUnixNano) - BigInt(attempts[1]!.startTimeUnixNano)).toBe(30_000_000n);
  });

  it('are the request alone where no attempt was made', () => {
    const run = { ...FACTS.run!, modelCalls: [{ ...CALL, finish: 'circuit_open', attempts: 0 }] };
    expect(toSpans(entryOf({ run }))).toHaveLength(1);
    const [wasRejected, ...others] = toSpans(entryOf({ code: 'rate_limited', run: undefined }));
    expect(others).toEqual([]);
    expect(attributesOf(wasRejected!)).toMatchObject({
      'error.type': 'rate_limited',
      'neuron.outcome': 'refused',
    });
    expect(wasRejected).not.toHaveProperty('status');
    expect(toSpans(entryOf({ code: 'internal', run: undefined }))[0]).toMatchObject({ status: { code: 2 } });
  });

  it('hold no text of a caller or of a model', () => {
    expect(renderTraces(toSpans(ENTRY), 'prod')).not.toContain('secret');
    fc.assert(
      fc.property(anyFacts, (facts) => {
        for (const { traceId, spanId } of toSpans(entryOf(facts)))
          expect(`${traceId} ${spanId}`).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
      }),
    );
  });
});

it.each([
  [{}, 0],
  [{ partialSuccess: {} }, 0],
  [{ partialSuccess: { rejectedSpans: '7', errorMessage: 'too old' } }, 7],
  [{ partialSuccess: { rejectedSpans: -1 } }, 0],
  ['none', 0],
  [null, 0],
])('an answer of %j rejected %i spans', (answer, rejected) => {
  expect(rejectedSpans(answer)).toBe(rejected);
});

it('a replay names the execution that it repeats, and has no span of a model call', () => {
  const spans = toSpans(
    entryOf({ run: undefined, replay: { executionId: 'exec-0', executionStopped: false } }),
  );
  expect(spans).toHaveLength(1);
  expect(attributesOf(spans[0]!)).toMatchObject({ 'neuron.replay_of': 'exec-0' });
});

describe('what was said', () => {
  const full = (text: string) => ({ kind: 'full', text, bytes: Buffer.byteLength(text) }) as const;
  const step = (type: string, input?: string, output?: string, decision = '') => ({
    ...{ type, atMs: 0, decision },
    ...(input === undefined ? {} : { input: full(input) }),
    ...(output === undefined ? {} : { output: full(output) }),
  });
  const contentOf = (changes: Partial<LogEntry>) =>
    toSpans({ ...ENTRY, ...changes }, true).map((span) =>
      Object.fromEntries(
        Object.entries(attributesOf(span))
          .filter(([key]) => /messages|system_instructions/.test(key))
          .map(([key, value]) => [key, JSON.parse(String(value))]),
      ),
    );
  const text = (content: string) => ({ type: 'text', content });

  it('is in no span unless it is asked for', () => {
    expect(JSON.stringify(toSpans(ENTRY))).not.toContain('secret');
    expect(JSON.stringify(toSpans(ENTRY, true))).toContain('secret answer');
  });

  it('is the system text, the prompt and the answer of each call', () => {
    const trace = [
      step('systemInstructions', undefined, 'be short'),
      step('callModel', 'one?', '1'),
      step('systemInstructions', undefined, 'be long'),
      step('callModel', 'two?', '2'),
    ];
    expect(contentOf({ trace, modelCalls: [CALL, { ...CALL, finish: 'length' }] })).toEqual([
      {},
      {
        'gen_ai.system_instructions': [text('be short')],
        'gen_ai.input.messages': [{ role: 'user', parts: [text('one?')] }],
        'gen_ai.output.messages': [{ role: 'assistant', parts: [text('1')], finish_reason: 'stop' }],
      },
      {
        'gen_ai.system_instructions': [text('be long')],
        'gen_ai.input.messages': [{ role: 'user', parts: [text('two?')] }],
        'gen_ai.output.messages': [{ role: 'assistant', parts: [text('2')], finish_reason: 'length' }],
      },
    ]);
  });

  it('is the answer of the attempt that answered alone', () => {
    const trace = [step('callModel', 'one?', '1', 'a/m → b/m')];
    const [, failed, answered] = contentOf({ trace, modelCalls: [{ ...CALL, finish: 'timeout' }, CALL] });
    expect(failed).toEqual({ 'gen_ai.input.messages': [{ role: 'user', parts: [text('one?')] }] });
    expect(answered).toHaveProperty(['gen_ai.output.messages']);
  });

  it('is nothing where the log has only digests of it, and of an embedding', () => {
    const hash = { kind: 'hash', hash: 'h', bytes: 3 } as const;
    const trace = [{ type: 'callModel', atMs: 0, input: hash, output: hash }];
    expect(contentOf({ trace })).toEqual([{}, {}]);
    const embedded = contentOf({
      trace: [step('callModel', 'q', 'a')],
      modelCalls: [{ ...CALL, finish: 'embedding' }, CALL],
    });
    expect(embedded[1]).toEqual({});
    expect(embedded[2]).toHaveProperty(['gen_ai.input.messages']);
  });

  it('is cut where a text or all of an entry are too long', () => {
    const long = 'é'.repeat(9_000);
    const trace = Array.from({ length: 10 }, () => step('callModel', long, 'a'));
    const contents = contentOf({ trace, modelCalls: trace.map(() => CALL) });
    const [, first] = contents as { 'gen_ai.input.messages': { parts: { content: string }[] }[] }[];
    const [part] = first!['gen_ai.input.messages'][0]!.parts;
    expect(part!.content).toBe(`${'é'.repeat(4_096)}…`);
    expect(contents.at(-1)).toEqual({});
  });
});

describe('the span of feedback', () => {
  const FEEDBACK = entryOf({ executionId: 'exec-1#helpful', run: undefined });
  const rated = (value: boolean | number) => ({
    ...FEEDBACK,
    version: 'v7',
    feedback: { of: 'exec-1', metric: 'helpful', value, comment: 'private words' },
  });

  it('is one event of an evaluation in the trace of its answer, without the comment', () => {
    const [answer] = toSpans(entryOf());
    const [span, ...others] = toSpans(rated(false), true);
    expect(others).toEqual([]);
    expect(span).toMatchObject({
      ...{ traceId: answer!.traceId, parentSpanId: answer!.spanId, name: 'feedback helpful', kind: 1 },
      events: [
        {
          name: 'gen_ai.evaluation.result',
          attributes: [
            { key: 'gen_ai.evaluation.name', value: { stringValue: 'helpful' } },
            { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0 } },
            { key: 'gen_ai.evaluation.score.label', value: { stringValue: 'false' } },
          ],
        },
      ],
    });
    expect(JSON.stringify(span)).not.toContain('private');
  });

  it('has no label for a number', () => {
    expect(JSON.stringify(toSpans(rated(4)))).not.toContain('score.label');
  });
});
