// The metrics of the service: names, units and the one dimension, written by the functions and watched by alarms and dashboards.

export const METRIC_NAMESPACE = 'NeuronExecutionService';

/**
 * The only dimension; its value is the stage's name. Organization and neuron are members of the lines instead: every value of a
 * dimension is a metric with a price of its own, and callers' paths must not make metrics.
 */
export const STAGE_DIMENSION = 'Stage';

/** AmazonCloudWatch/latest/APIReference/API_MetricDatum.html */
type MetricUnit = 'Count' | 'Milliseconds' | 'None';

/** Published with each line that has a value for it. */
interface Metric {
  readonly name: string;
  readonly unit: MetricUnit;
  /** False: a member of the line for queries only. A metric of CloudWatch costs 0.30 dollars a month. @default true */
  readonly published?: false;
}

/**
 * Every metric. Tokens have the attribute names of OpenTelemetry's conventions for generative AI
 * (opentelemetry.io/docs/specs/semconv/gen-ai), which has none for the others.
 */
export const METRICS = {
  /** Requests that have an entry in the audit trail, rejections by the authorizer included. Each ends in one of the next four. */
  requests: { name: 'Requests', unit: 'Count', published: false },
  succeeded: { name: 'Succeeded', unit: 'Count' },
  stopped: { name: 'Stopped', unit: 'Count' },
  /** Answered with 5xx, but for maintenance. */
  failed: { name: 'Failed', unit: 'Count' },
  refused: { name: 'Refused', unit: 'Count' },
  /** From the start of the function to the line. */
  latency: { name: 'LatencyMs', unit: 'Milliseconds' },
  /** `latency` without the time spent waiting for providers. */
  ownLatency: { name: 'OwnLatencyMs', unit: 'Milliseconds' },
  cacheHits: { name: 'CacheHits', unit: 'Count' },
  cacheMisses: { name: 'CacheMisses', unit: 'Count' },
  /** Reads, embeddings, searches and writes of the response cache that failed or were late; the request was answered all the same. */
  cacheFailures: { name: 'CacheFailures', unit: 'Count' },
  /** Failed attempts of model calls, whether a later attempt succeeded or not. */
  providerErrors: { name: 'ProviderErrors', unit: 'Count' },
  /** Requests rejected by a rate limit or a usage limit. */
  limitRefusals: { name: 'LimitRefusals', unit: 'Count' },
  /** Model calls whose provider reported more than had been reserved. */
  reservationExceeded: { name: 'ReservationExceeded', unit: 'Count' },
  /** Requests whose counters failed: rejected, or admitted where the neuron says so. */
  countersUnavailable: { name: 'CountersUnavailable', unit: 'Count' },
  /** Requests of which a guard blocked the input or the answer. */
  guardBlocked: { name: 'GuardBlocked', unit: 'Count' },
  /** Requests with finds of guards that only flag. */
  guardFlagged: { name: 'GuardFlagged', unit: 'Count', published: false },
  /** Requests that a guard by a service did not judge: rejected, or let through where its use says so. */
  guardUnavailable: { name: 'GuardUnavailable', unit: 'Count' },
  /** Entries that could not be put; they can be restored from their lines. */
  logLosses: { name: 'LogLosses', unit: 'Count' },
  /** Requests for neurons that do not exist: they have no entry. */
  unknownNeurons: { name: 'UnknownNeurons', unit: 'Count' },
  /** Requests that the authorizer could not decide on: it failed, or a dependency did not answer. */
  authorizerFaults: { name: 'AuthorizerFaults', unit: 'Count' },
  /** Duties at the end of a request that a defect of ours kept from being done. */
  defects: { name: 'Defects', unit: 'Count', published: false },
  tokensInput: { name: 'gen_ai.usage.input_tokens', unit: 'Count' },
  tokensOutput: { name: 'gen_ai.usage.output_tokens', unit: 'Count' },
  costMicrodollars: { name: 'CostMicrodollars', unit: 'None' },
  savingsMicrodollars: { name: 'SavingsMicrodollars', unit: 'None' },
} as const satisfies Record<string, Metric>;

export type MetricKey = keyof typeof METRICS;

/** True for a metric of CloudWatch, which an alarm watches or the dashboard charts. */
export function isPublished(key: MetricKey): boolean {
  const metric: Metric = METRICS[key];
  return metric.published !== false;
}

/** The values of one line; absent metrics are not published. */
export type MetricValues = Readonly<Partial<Record<MetricKey, number>>>;
