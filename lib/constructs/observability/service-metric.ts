// The service's own metrics, as CloudWatch knows them.
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  METRIC_NAMESPACE,
  METRICS,
  type MetricKey,
  STAGE_DIMENSION,
} from '../../../core/contract/metrics.ts';
import type { Stage } from '../../config/config.ts';

export type { MetricKey } from '../../../core/contract/metrics.ts';

/** One of `core/contract/metrics.ts` for a stage; counted by sum, waiting times by their slowest of a hundred, over five minutes. */
export function serviceMetric({ name }: Stage, key: MetricKey, options: MetricOptions = {}): Metric {
  const { name: metricName, unit } = METRICS[key];
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { [STAGE_DIMENSION]: name },
    statistic: unit === 'Milliseconds' ? Stats.percentile(99) : Stats.SUM,
    ...options,
  });
}
