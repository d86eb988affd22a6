// The monitored parts of a service, and the metrics that its functions write.
import { Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  METRIC_NAMESPACE,
  METRICS,
  type MetricKey,
  STAGE_DIMENSION,
} from '../../../core/contract/metrics.ts';
import type { Stage } from '../../config/config.ts';
import type { Archiver } from '../compute/archiver.ts';
import type { Authorizer } from '../compute/authorizer.ts';
import type { Executor } from '../compute/executor.ts';
import type { HeadWriter } from '../compute/head-writer.ts';
import type { RolloutWatch } from '../compute/rollout-watch.ts';
import type { Rollup } from '../compute/rollup.ts';
import type { Tables } from '../data/tables.ts';
import type { NeuronApi } from '../edge/api.ts';

export type { MetricKey } from '../../../core/contract/metrics.ts';

/** The parts, as `NeuronService` has them. */
export interface MonitoredService {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly authorizer: Authorizer;
  readonly executor: Executor;
  readonly rollup: Rollup;
  readonly rolloutWatch: RolloutWatch;
  readonly headWriter: HeadWriter | undefined;
  readonly archiver: Archiver | undefined;
  readonly api: NeuronApi;
}

/** A metric of `core/contract/metrics.ts` for a stage, over five minutes: counts as their sum, durations as p99. */
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
