// Alarms on the answers of the API: errors, callers turned away, latency.
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../../core/contract/metrics.ts';
import { PERIOD, percentage } from './expressions.ts';
import { type MonitoredService, serviceMetric } from './monitored-service.ts';
import { DEFAULTS, type Watch } from './watch.ts';

/** Share of all requests within five minutes. */
const THROTTLED_PERCENT = 1;

export function watchResponses(scope: Construct, { stage, api }: MonitoredService): Watch[] {
  const { alarms } = stage;
  const requests = api.metricRequests({ statistic: Stats.SUM, period: PERIOD });
  const unavailable = countLines(scope, api, 'Answers503', stage.name, ['$.status', '503']);
  const throttled = countLines(scope, api, 'Throttled', stage.name, ['$.responseType', 'THROTTLED']);
  const latency = alarms?.latencyP99 ?? DEFAULTS.latencyP99;
  return [
    {
      id: 'ServerErrors',
      summary: 'Too many responses are 5xx.',
      section: 'server-errors',
      metric: percentage(api.metricServerErrors({ statistic: Stats.SUM, period: PERIOD }), requests),
      threshold: alarms?.serverErrorPercent ?? DEFAULTS.serverErrorPercent,
      periods: 2,
      above: true,
    },
    ...(unavailable === undefined
      ? []
      : [
          {
            id: 'Unavailable',
            summary: 'Too many responses are 503: a dependency of the service is failing.',
            section: 'unavailable',
            metric: percentage(unavailable, requests),
            threshold: alarms?.unavailablePercent ?? DEFAULTS.unavailablePercent,
            above: true,
          },
        ]),
    ...(throttled === undefined
      ? []
      : [
          {
            id: 'CallersThrottled',
            summary: 'API Gateway turns callers away with 429: the throttle of the stage is reached.',
            section: 'throttled',
            metric: percentage(throttled, requests),
            threshold: THROTTLED_PERCENT,
            above: true,
          },
        ]),
    {
      id: 'Latency',
      summary: 'The p99 latency is too high.',
      section: 'latency',
      metric: serviceMetric(stage, 'latency', { period: PERIOD }),
      threshold: latency,
      periods: 3,
      above: true,
    },
  ];
}

/** The access log says what API Gateway's own metrics leave out. Without a log group there is nothing to count. */
function countLines(
  scope: Construct,
  { accessLog }: MonitoredService['api'],
  id: 'Answers503' | 'Throttled',
  stage: string,
  [field, value]: readonly [string, string],
): Metric | undefined {
  if (accessLog === undefined) return undefined;
  const filter = new MetricFilter(scope, id, {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue(field, '=', value),
    metricNamespace: METRIC_NAMESPACE,
    // The dimensions of a filter come from the log line, which does not name the stage.
    metricName: `${id}-${stage}`,
    metricValue: '1',
  });
  return filter.metric({ statistic: Stats.SUM, period: PERIOD });
}
