// The metrics of the service: names, units and the one dimension, written by the functions and watched by alarms and dashboards.

/** CloudWatch namespace of every metric. */
export const METRIC_NAMESPACE = 'NeuronExecutionService';

/**
 * The only dimension, its value the stage's name. Organization and neuron are properties of the lines instead: every value of a dimension is
 * a metric of its own, with its own price, and callers' paths must not make metrics.
 */
export const STAGE_DIMENSION = 'Stage';

/** How CloudWatch counts a metric (AmazonCloudWatch/latest/APIReference/API_MetricDatum.html). */
type MetricUnit = 'Count' | 'Milliseconds' | 'None';

/** A metric: published with each line that has a value for it, and not at all where there is nothing to count. */
interface Metric {
  readonly name: string;
  readonly unit: MetricUnit;
  /** False: a member of the line for queries, no metric of CloudWatch, where each costs 0.30 dollars a month. @default true */
  readonly published?: false;
}

/**
 * Every metric. Tokens have the attribute names of OpenTelemetry's conventions for generative AI
 * (opentelemetry.io/docs/specs/semconv/gen-ai); they have none for the others.
 */
export const METRICS = {
  /** Requests that have an entry in the audit trail, refusals of the authorizer included. Each ends in one of the next four. */
  requests: { name: 'Requests', unit: 'Count', published: false },
  succeeded: { name: 'Succeeded', unit: 'Count' },
  stopped: { name: 'Stopped', unit: 'Count' },
  /** Answered with 5xx, but for maintenance. */
  failed: { name: 'Failed', unit: 'Count' },
  refused: { name: 'Refused', unit: 'Count' },
  /** From the start of the function to the line. */
  latency: { name: 'LatencyMs', unit: 'Milliseconds' },
  /** The same without the time spent waiting for providers. */
  ownLatency: { name: 'OwnLatencyMs', unit: 'Milliseconds' },
  cacheHits: { name: 'CacheHits', unit: 'Count' },
  cacheMisses: { name: 'CacheMisses', unit: 'Count' },
  /** Reads, embeddings, searches and writes of the response cache that failed or came late; the request was answered all the same. */
  cacheFailures: { name: 'CacheFailures', unit: 'Count' },
  /** Attempts of model calls that failed, those that a later attempt made good included. */
  providerErrors: { name: 'ProviderErrors', unit: 'Count' },
  /** Refusals by a rate limit or a usage limit. */
  limitRefusals: { name: 'LimitRefusals', unit: 'Count' },
  /** Model calls whose provider reported more than had been reserved. */
  reservationExceeded: { name: 'ReservationExceeded', unit: 'Count' },
  /** Requests for which the counters could not be asked: refused, or admitted where the neuron says so. */
  countersUnavailable: { name: 'CountersUnavailable', unit: 'Count' },
  /** Entries that could not be put; they can be restored from their lines. */
  logLosses: { name: 'LogLosses', unit: 'Count' },
  /** Requests for neurons that do not exist: they have no entry. */
  unknownNeurons: { name: 'UnknownNeurons', unit: 'Count' },
  /** The authorizer could not decide: it failed, or a dependency did not answer. A refused caller is not counted. */
  authorizerFaults: { name: 'AuthorizerFaults', unit: 'Count' },
  tokensInput: { name: 'gen_ai.usage.input_tokens', unit: 'Count' },
  tokensOutput: { name: 'gen_ai.usage.output_tokens', unit: 'Count' },
  costMicrodollars: { name: 'CostMicrodollars', unit: 'None' },
  savingsMicrodollars: { name: 'SavingsMicrodollars', unit: 'None' },
} as const satisfies Record<string, Metric>;

/** One of the metrics. */
export type MetricKey = keyof typeof METRICS;

/** Whether CloudWatch makes a metric of it: what an alarm watches or the dashboard charts. */
export function isPublished(key: MetricKey): boolean {
  const metric: Metric = METRICS[key];
  return metric.published !== false;
}

/** What a line counts: absent metrics are not published. */
export type MetricValues = Readonly<Partial<Record<MetricKey, number>>>;
