// The metrics of an entry, and the attributes of its last model call under the names of OpenTelemetry.

import type { LogEntry, LoggedModelCall, LogOutcome } from '../contract/log-entry.ts';
import type { MetricKey, MetricValues } from '../contract/metrics.ts';
import type { LimitIncidents } from '../limits/budget.ts';

const OUTCOMES = {
  success: 'succeeded',
  stopped: 'stopped',
  failed: 'failed',
  refused: 'refused',
} as const satisfies Record<LogOutcome, MetricKey>;

/** The finish of a call that gave a vector. */
const EMBEDDED = 'embedding';

const LIMIT_CODES: readonly (string | undefined)[] = [
  'rate_limited',
  'usage_limit_exceeded',
  'too_many_at_once',
];

/** Finishes of calls that the model answered. */
const ANSWERED: readonly string[] = ['stop', 'toolCalls', 'length', 'filtered', 'other', EMBEDDED];

/** Zeros are left out, except for metrics that every request has. */
export function metricsOf(entry: LogEntry, limits?: LimitIncidents): MetricValues {
  const { count, code, cache, modelCalls } = entry;
  const some: MetricValues = {
    cacheHits: Number(cache === 'exact' || cache === 'semantic'),
    cacheMisses: Number(cache === 'miss'),
    cacheFailures: entry.cacheFailures?.length ?? 0,
    providerErrors: modelCalls.reduce((sum, call) => sum + failedAttempts(call), 0),
    limitRefusals: LIMIT_CODES.includes(code) ? count : 0,
    reservationExceeded: limits?.reservationsExceeded ?? 0,
    countersUnavailable: limits?.countersUnavailable ?? 0,
    tokensInput: entry.tokensInput,
    tokensOutput: entry.tokensOutput,
    costMicrodollars: entry.costMicrodollars ?? 0,
    savingsMicrodollars: entry.savingsMicrodollars,
  };
  return {
    requests: count,
    [OUTCOMES[entry.outcome]]: count,
    // An entry for many requests has the latency of the last of them alone.
    ...(count === 1 ? { latency: entry.latencyMs, ownLatency: entry.ownLatencyMs } : {}),
    ...Object.fromEntries(Object.entries(some).filter(([, value]) => value > 0)),
  };
}

/** Attributes of opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai; tokens are metrics and have their names there. */
export function genAiAttributes({ modelCalls }: LogEntry): Record<string, unknown> {
  const last = modelCalls.at(-1);
  if (last === undefined) return {};
  const embeds = last.finish === EMBEDDED;
  return {
    'gen_ai.operation.name': embeds ? 'embeddings' : 'chat',
    'gen_ai.provider.name': last.provider,
    'gen_ai.request.model': last.model,
    ...(last.modelVersion === undefined ? {} : { 'gen_ai.response.model': last.modelVersion }),
    ...(embeds ? {} : { 'gen_ai.response.finish_reasons': [last.finish] }),
  };
}

function failedAttempts({ attempts, finish }: LoggedModelCall): number {
  return ANSWERED.includes(finish) ? attempts - 1 : attempts;
}
