// Alarms on the parts behind the API: functions, tables, the log and its readers, providers.
import { Duration } from 'aws-cdk-lib';
import { type Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../../core/contract/metrics.ts';
import { TABLES, type TableName } from '../../../core/contract/tables.ts';
import { PERIOD, sum } from './expressions.ts';
import { type MonitoredService, serviceMetric } from './monitored-service.ts';
import { AUTHORIZER_FAULTS, DEFAULTS, GUARDS_UNAVAILABLE, USAGE_LATE, type Watch } from './watch.ts';

export function watchParts({
  stage,
  tables,
  authorizer,
  executor,
  rollup,
  rolloutWatch,
  headWriter,
  archiver,
}: MonitoredService): Watch[] {
  const { config, keys, counters, cache, logs, usage } = tables.byName;
  const counted = { statistic: Stats.SUM, period: PERIOD };
  const parts = [authorizer, executor, rollup, rolloutWatch, headWriter, archiver, rollup.traces];
  const throttles = parts.flatMap((part) =>
    part === undefined ? [] : [part.service.metricThrottles(counted)],
  );
  const tableThrottles = [
    ...[config, keys, counters, cache].map((table) => table.metric('ReadThrottleEvents', counted)),
    ...[counters, cache, logs, usage].map((table) => table.metric('WriteThrottleEvents', counted)),
  ];
  return [
    {
      id: 'AuthorizerFaults',
      summary: 'The authorizer fails and callers get 503. Rejected callers (401, 403) do not count.',
      section: 'authorizer-faults',
      metric: serviceMetric(stage, 'authorizerFaults', { period: PERIOD }),
      threshold: AUTHORIZER_FAULTS,
    },
    {
      id: 'FunctionThrottles',
      summary: 'Lambda throttles a function: a concurrency limit is reached.',
      section: 'function-throttles',
      metric: sum('function throttles', throttles),
      threshold: 1,
    },
    {
      id: 'TableThrottles',
      summary: 'DynamoDB throttles reads or writes of a table.',
      section: 'table-throttles',
      metric: sum('table throttles', tableThrottles),
      threshold: 1,
    },
    {
      id: 'IndexThrottles',
      summary: 'DynamoDB throttles writes of an index, and with them writes of its table.',
      section: 'index-throttles',
      metric: sum('index throttles', indexThrottles(tables, counted)),
      threshold: 1,
    },
    {
      id: 'LogLosses',
      summary: 'Log entries could not be written to the table; they are in the log group of the function.',
      section: 'log-losses',
      metric: serviceMetric(stage, 'logLosses', { period: PERIOD }),
      threshold: 1,
    },
  ];
}

/** Metrics of a table leave its indexes out (amazondynamodb/latest/developerguide/metrics-dimensions.html). */
function indexThrottles({ byName }: MonitoredService['tables'], options: MetricOptions): Metric[] {
  return Object.entries(byName).flatMap(([name, table]) =>
    TABLES[name as TableName].indexes.map((index) =>
      table.metric('WriteThrottleEvents', {
        ...options,
        dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: index.name },
      }),
    ),
  );
}

/** Watches the reader of the log's stream: entries that come late, that it gives up, and whether it runs at all. */
export function watchUsage({ rollup }: MonitoredService): Watch[] {
  return [
    {
      id: 'UsageNotCounted',
      summary: 'Log entries were given up after 12 hours: neither counted nor sealed.',
      section: 'usage-not-counted',
      metric: rollup.metricDropped({ period: PERIOD }),
      threshold: 1,
    },
    {
      id: 'RollupNotRunning',
      summary: 'The rollup function does not run: nothing is counted, sealed or alerted.',
      section: 'rollup-not-running',
      metric: rollup.service.handler.metricInvocations({ statistic: Stats.SUM, period: PERIOD }),
      threshold: 1,
      periods: 2,
      below: true,
    },
    {
      id: 'UsageLate',
      summary: 'The usage is more than an hour behind the log.',
      section: 'usage-late',
      metric: rollup.metricLateness({ period: PERIOD }),
      threshold: USAGE_LATE.toMilliseconds(),
    },
  ];
}

export function watchProviders({ stage }: MonitoredService): Watch[] {
  const { alarms } = stage;
  return [
    {
      id: 'GuardUnavailable',
      summary: 'A service does not judge what guards show it: callers get 503, or their texts pass unseen.',
      section: 'guards-unavailable',
      metric: serviceMetric(stage, 'guardUnavailable', { period: PERIOD }),
      threshold: GUARDS_UNAVAILABLE,
    },
    {
      id: 'ProviderErrors',
      summary: 'Model calls fail.',
      section: 'provider-errors',
      metric: serviceMetric(stage, 'providerErrors', { period: PERIOD }),
      threshold: alarms?.providerErrors ?? DEFAULTS.providerErrors,
    },
    {
      id: 'Spending',
      summary: 'The model calls of a day cost more than planned.',
      section: 'spending',
      metric: serviceMetric(stage, 'costMicrodollars', { period: Duration.days(1) }),
      threshold: alarms?.dailySpending ?? DEFAULTS.dailySpending,
      above: true,
    },
  ];
}

/** Watches the heads of the seals: two hours in a row, since an hour that is counted need not begin with a run. */
export function watchHeads({ headWriter }: MonitoredService): Watch[] {
  if (headWriter === undefined) return [];
  return [
    {
      id: 'HeadsNotWritten',
      summary: 'The heads of the log seals are not written elsewhere.',
      section: 'heads-not-written',
      metric: headWriter.metricWritten(),
      threshold: 1,
      periods: 2,
      below: true,
    },
  ];
}

/** Watches the archive: a day that is counted need not begin with a run. */
export function watchArchive({ archiver }: MonitoredService): Watch[] {
  if (archiver === undefined) return [];
  return [
    {
      id: 'NotArchived',
      summary: 'The log of a day is not archived.',
      section: 'not-archived',
      metric: archiver.metricArchived(),
      threshold: 1,
      periods: 2,
      below: true,
    },
  ];
}

/** Watches what is stopped by itself, and whether it still would be. */
export function watchRollouts(
  scope: Construct,
  { stage, rolloutWatch: { service } }: MonitoredService,
): Watch[] {
  const stopped = new MetricFilter(scope, 'RolloutsStopped', {
    logGroup: service.logGroup,
    filterPattern: FilterPattern.exists('$.neuronRolloutStopped'),
    metricNamespace: METRIC_NAMESPACE,
    metricName: `RolloutsStopped-${stage.name}`,
    metricValue: '$.neuronRolloutStopped',
  });
  return [
    {
      id: 'RolloutStopped',
      summary: 'A rollout was stopped by itself: its candidate is worse than the deployed version.',
      section: 'rollout-stopped',
      metric: stopped.metric({ statistic: Stats.SUM, period: PERIOD }),
      threshold: 1,
    },
    {
      id: 'RolloutsNotWatched',
      summary: 'Rollouts are not watched: no candidate is stopped by itself.',
      section: 'rollouts-not-watched',
      metric: service.metricErrors({ statistic: Stats.SUM, period: PERIOD }),
      threshold: 3,
    },
  ];
}

export function watchTraces(scope: Construct, { stage, rollup: { traces } }: MonitoredService): Watch[] {
  if (traces === undefined) return [];
  const lost = new MetricFilter(scope, 'SpansLost', {
    logGroup: traces.service.logGroup,
    filterPattern: FilterPattern.exists('$.neuronSpansLost'),
    metricNamespace: METRIC_NAMESPACE,
    metricName: `SpansLost-${stage.name}`,
    metricValue: '$.neuronSpansLost',
  });
  return [
    {
      id: 'SpansNotSent',
      summary: 'Spans could not be sent to the endpoint of the stage setting traces.',
      section: 'spans-lost',
      metric: lost.metric({ statistic: Stats.SUM, period: PERIOD }),
      threshold: 1,
    },
  ];
}
