// Turns a log entry into spans of OpenTelemetry: one for the request, and one for each attempt of a model call. Texts of callers and
// models are in them only on demand.
import { createHash } from 'node:crypto';
import type { LogEntry, LoggedAttempt, LoggedModelCall } from '../../contract/log-entry.ts';
import { attemptSpanId } from '../../contract/traceparent.ts';
import { createContent, type DescribeContent, NO_CONTENT } from './content.ts';
import { toFeedbackSpan } from './feedback-span.ts';
import type { OtlpAttribute, OtlpSpan } from './otlp.ts';

/** The kinds and states of a span that are used (opentelemetry-proto, trace.proto). */
const KIND = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

const EMBEDDING = 'embedding';

/** Finishes of an answer; every other one names a failure. */
const ANSWERED: ReadonlySet<string> = new Set([
  'stop',
  'toolCalls',
  'length',
  'filtered',
  'other',
  EMBEDDING,
]);

/**
 * The request's span comes first. Without a trace of the caller, the execution id makes one. `content`: with the texts that the log
 * keeps in full.
 */
export function toSpans(entry: LogEntry, content = false): readonly OtlpSpan[] {
  if (typeof entry.feedback?.metric === 'string') return [toFeedbackSpan(entry, entry.feedback, digestOf)];
  const [, traceId = digest('trace', entry).slice(0, 32), parentSpanId] = entry.traceparent?.split('-') ?? [];
  const spanId = digest('request', entry).slice(0, 16);
  const request: OtlpSpan = {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: `POST ${entry.organization}/${entry.neuron}`,
    kind: KIND.server,
    ...times(entry.timeMs, entry.latencyMs),
    attributes: [
      text('http.request.method', 'POST'),
      integer('http.response.status_code', entry.status),
      text('neuron.execution.id', entry.executionId),
      text('neuron.organization', entry.organization),
      text('neuron.name', entry.neuron),
      text('neuron.outcome', entry.outcome),
      ...optional('neuron.version', entry.version),
      ...optional('neuron.rollout', entry.rollout?.id),
      ...optional('neuron.rollout.arm', entry.rollout?.arm),
      ...optional('neuron.cache', entry.cache),
      ...optional('neuron.replay_of', entry.replayOf),
      ...optional('error.type', entry.code),
      ...guardAttributes(entry),
    ],
    // A 4xx is no error of a server (semantic conventions for HTTP spans).
    ...(entry.status >= 500 ? { status: { code: STATUS_ERROR } } : {}),
  };
  const describe = content ? createContent(entry.trace) : NO_CONTENT;
  const ids = { traceId, parentSpanId: spanId };
  return [request, ...attemptsOf(entry).map((attempt) => toClientSpan(entry, ids, attempt, describe))];
}

/** One attempt, and the id of its span, which its provider got. */
interface Attempt {
  readonly call: LoggedModelCall;
  /** Index among the steps that called models. */
  readonly step: number | undefined;
  readonly spanId: string;
  readonly atMs: number;
  readonly latencyMs: number;
  /** Undefined for the attempt that answered. */
  readonly failure: string | undefined;
  readonly isLast: boolean;
  /** Since the attempt began. */
  readonly firstTextMs: number | undefined;
}

/** Attempts are numbered through the run; an embedding is no part of it. */
function attemptsOf(entry: LogEntry): readonly Attempt[] {
  const positions = positionsOf(entry);
  let number = 0;
  return entry.modelCalls.flatMap((call, index) => {
    const { startMs = 0, step } = positions[index] ?? {};
    const failure = ANSWERED.has(call.finish) ? undefined : call.finish;
    // A call that was refused before it was sent has no attempt.
    if (call.attempts === 0) return [];
    const whole = [{ atMs: 0, latencyMs: call.latencyMs, ...(failure === undefined ? {} : { failure }) }];
    const attempts: readonly LoggedAttempt[] = call.attemptTimes ?? whole;
    return attempts.map((attempt, at) => ({
      call,
      step,
      spanId:
        call.finish === EMBEDDING
          ? digest(EMBEDDING, entry).slice(0, 16)
          : attemptSpanId(entry.executionId, number++),
      atMs: startMs + attempt.atMs,
      latencyMs: attempt.latencyMs,
      failure: attempt.failure,
      isLast: at === attempts.length - 1,
      firstTextMs: call.firstTextMs === undefined ? undefined : call.firstTextMs - attempt.atMs,
    }));
  });
}

/** The only step of its flow that calls models. */
const EMBED_STEP = 'embed';

interface CallPosition {
  /** Milliseconds since the request. */
  readonly startMs: number;
  readonly step: number | undefined;
}

/** Steps that call models have a time; the models of one step follow each other. */
function positionsOf({ modelCalls, trace }: LogEntry): readonly CallPosition[] {
  const steps = trace.filter(({ type }) => type === 'callModel' || type === EMBED_STEP);
  const positions: CallPosition[] = [];
  let [next, left, nextMs] = [0, 0, 0];
  for (const { finish, latencyMs } of modelCalls) {
    const isEmbedding = finish === EMBEDDING;
    if (!isEmbedding && left === 0) {
      const { atMs = nextMs, decision = '' } = steps[next] ?? {};
      next += 1;
      left = decision.split(' → ').length;
      nextMs = Math.max(nextMs, atMs);
    }
    if (!isEmbedding) left -= 1;
    positions.push({ startMs: nextMs, step: isEmbedding ? undefined : next - 1 });
    nextMs += latencyMs;
  }
  return positions;
}

/** By the semantic conventions for generative AI, 1.41 (github.com/open-telemetry/semantic-conventions-genai). */
function toClientSpan(
  entry: LogEntry,
  ids: Pick<OtlpSpan, 'traceId' | 'parentSpanId'>,
  { call, step, spanId, atMs, latencyMs, failure, isLast, firstTextMs }: Attempt,
  describe: DescribeContent,
): OtlpSpan {
  const isOfVectors = call.finish === EMBEDDING || entry.trace.some(({ type }) => type === EMBED_STEP);
  const operation = isOfVectors ? 'embeddings' : 'chat';
  const answered = isLast && failure === undefined;
  return {
    ...ids,
    spanId,
    name: `${operation} ${call.model}`,
    kind: KIND.client,
    ...times(entry.timeMs + atMs, latencyMs),
    attributes: [
      text('gen_ai.operation.name', operation),
      text('gen_ai.provider.name', call.provider),
      text('gen_ai.request.model', call.model),
      ...(answered ? answerAttributes(call, firstTextMs) : []),
      ...optional('error.type', failure),
      ...describe(step, { finish: FINISHES[call.finish] ?? call.finish, answered }),
    ],
    ...(failure === undefined ? {} : { status: { code: STATUS_ERROR } }),
  };
}

function answerAttributes(call: LoggedModelCall, firstTextMs: number | undefined): readonly OtlpAttribute[] {
  const { modelVersion, tokensInput, tokensOutput, finish } = call;
  return [
    ...optional('gen_ai.response.model', modelVersion),
    ...(finish === EMBEDDING ? [] : [texts('gen_ai.response.finish_reasons', [FINISHES[finish] ?? finish])]),
    integer('gen_ai.usage.input_tokens', tokensInput),
    ...(finish === EMBEDDING ? [] : [integer('gen_ai.usage.output_tokens', tokensOutput)]),
    ...(firstTextMs === undefined
      ? []
      : [{ key: 'gen_ai.response.time_to_first_chunk', value: { doubleValue: firstTextMs / 1000 } }]),
  ];
}

/** Finishes that the conventions name differently. */
const FINISHES: Readonly<Record<string, string>> = { toolCalls: 'tool_call', filtered: 'content_filter' };

/** Nanoseconds since the epoch, as text: a double cannot hold them. */
function times(startMs: number, latencyMs: number): Pick<OtlpSpan, 'startTimeUnixNano' | 'endTimeUnixNano'> {
  return {
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(startMs + Math.max(0, latencyMs)),
  };
}

function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function text(key: string, value: string): OtlpAttribute {
  return { key, value: { stringValue: value } };
}

function texts(key: string, values: readonly string[]): OtlpAttribute {
  return { key, value: { arrayValue: { values: values.map((value) => ({ stringValue: value })) } } };
}

/** `pii mask input email`: kinds of finds without their number, and of services that gave no verdict the reason. Never a value. */
function guardAttributes({ guards = [] }: LogEntry): readonly OtlpAttribute[] {
  const found = guards.flatMap(({ guard, action, stage, finds, notJudged }) => [
    ...finds.map(({ type }) => `${guard} ${action} ${stage} ${type}`),
    ...(notJudged === undefined ? [] : [`${guard} ${action} ${stage} not judged: ${notJudged}`]),
  ]);
  return found.length === 0 ? [] : [texts('neuron.guards', [...new Set(found)])];
}

function optional(key: string, value: string | undefined): readonly OtlpAttribute[] {
  return value === undefined ? [] : [text(key, value)];
}

/** Integers of 64 bits are text in JSON (protobuf.dev/programming-guides/json). */
function integer(key: string, value: number): OtlpAttribute {
  return { key, value: { intValue: String(value) } };
}

function digest(purpose: string, { executionId }: LogEntry): string {
  return digestOf(purpose, executionId);
}

function digestOf(purpose: string, executionId: string): string {
  return createHash('sha256').update(`neuron-trace/1\n${purpose}\n${executionId}`).digest('hex');
}
