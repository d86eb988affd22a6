// Metrics within a line of the log, from which CloudWatch reads them: no request waits for a call of a metrics service.
// (AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html)
import {
  isPublished,
  METRIC_NAMESPACE,
  METRICS,
  type MetricKey,
  type MetricValues,
  STAGE_DIMENSION,
} from '../contract/metrics.ts';

export interface MetricStamp {
  readonly stage: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/** The members for the root of a line; none without values. */
export function embedMetrics(values: MetricValues, { stage, timeMs }: MetricStamp): Record<string, unknown> {
  const counted = Object.entries(values) as [MetricKey, number][];
  if (counted.length === 0) return {};
  const published = counted.filter(([key]) => isPublished(key));
  const metrics = published.map(([key]) => ({ Name: METRICS[key].name, Unit: METRICS[key].unit }));
  return {
    _aws: {
      Timestamp: Math.round(timeMs),
      CloudWatchMetrics: [{ Namespace: METRIC_NAMESPACE, Dimensions: [[STAGE_DIMENSION]], Metrics: metrics }],
    },
    [STAGE_DIMENSION]: stage,
    ...Object.fromEntries(counted.map(([key, value]) => [METRICS[key].name, value])),
  };
}
