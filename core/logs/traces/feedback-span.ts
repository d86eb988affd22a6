// Turns an entry of feedback into a span with the event of an evaluation, in the trace of its answer where the service made that.
import type { LogEntry, LoggedFeedback } from '../../contract/log-entry.ts';
import type { OtlpAttribute, OtlpSpan } from './otlp.ts';

/** An internal operation (opentelemetry-proto, trace.proto). */
const INTERNAL = 1;

/** `digest` of a purpose and an execution, as the spans of the answer have it. */
export function toFeedbackSpan(
  { organization, neuron, version = '', executionId, timeMs }: LogEntry,
  { of: rated, metric, value }: LoggedFeedback,
  digest: (purpose: string, executionId: string) => string,
): OtlpSpan {
  const time = `${Math.round(timeMs * 1_000)}000`;
  const names = [
    text('neuron.execution.id', rated),
    text('neuron.organization', organization),
    text('neuron.name', neuron),
    text('neuron.version', version),
  ];
  // Semantic conventions for generative AI, event `gen_ai.evaluation.result`. A comment stays in the log.
  const score = [
    text('gen_ai.evaluation.name', metric),
    { key: 'gen_ai.evaluation.score.value', value: { doubleValue: Number(value) } },
    ...(typeof value === 'boolean' ? [text('gen_ai.evaluation.score.label', String(value))] : []),
  ];
  return {
    traceId: digest('trace', rated).slice(0, 32),
    spanId: digest('feedback', executionId).slice(0, 16),
    parentSpanId: digest('request', rated).slice(0, 16),
    name: `feedback ${metric}`,
    kind: INTERNAL,
    startTimeUnixNano: time,
    endTimeUnixNano: time,
    attributes: names,
    events: [{ timeUnixNano: time, name: 'gen_ai.evaluation.result', attributes: score }],
  };
}

function text(key: string, value: string): OtlpAttribute {
  return { key, value: { stringValue: value } };
}
