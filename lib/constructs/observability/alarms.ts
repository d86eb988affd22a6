// The alarms. Each asks for an action, and its description links to the section of docs/operations.md that says which.
import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  type Metric,
  type MetricOptions,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../../core/contract/metrics.ts';
import { TABLES, type TableName } from '../../../core/contract/tables.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import { PERIOD, percentage, sum } from './expressions.ts';
import { type MonitoredService, serviceMetric } from './monitored-service.ts';

/** Thresholds where the stage sets none. */
const DEFAULTS = {
  serverErrorPercent: 1,
  unavailablePercent: 5,
  latencyP99: 30_000,
  providerErrors: 50,
  /** Microdollars: 50 dollars a day. */
  dailySpending: 50_000_000,
};

/** Authorizer faults within five minutes: a few may come from the JWKS endpoint of one organization. */
const AUTHORIZER_FAULTS = 5;

/** The age of a log entry that the usage must contain. Lambda gives an entry up after twelve hours, so there is time to fix the cause. */
const USAGE_LATE = Duration.hours(1);

/** One alarm: its metric, its threshold, and its section in docs/operations.md. */
interface Watch {
  readonly id: string;
  readonly summary: string;
  readonly section: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many periods in a row. @default 1 */
  readonly periods?: number;
  /** Above the threshold instead of at or above it. @default false */
  readonly above?: boolean;
  /** Below the threshold, and also where there is no value at all. @default false */
  readonly below?: boolean;
}

export interface AlarmsProps {
  readonly service: MonitoredService;
  /** @default a topic with the stage's addresses; none where there are none */
  readonly alarmTopic?: ITopic | undefined;
}

/** A class, because CDK's tree is made of constructs. */
export class Alarms extends Construct {
  /** Absent where nobody receives the alarms. */
  readonly topic: ITopic | undefined;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { service, alarmTopic }: AlarmsProps) {
    super(scope, id);
    this.topic = alarmTopic ?? chooseTopic(this, service);
    const watches = [
      ...watchResponses(this, service),
      ...watchParts(service),
      ...watchUsage(service),
      ...watchProviders(service),
      ...watchHeads(service),
    ];
    this.all = watches.map((watch) => this.#watch(watch));
  }

  #watch({ id, summary, section, metric, threshold, periods = 1, ...side }: Watch): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${summary} What to do: docs/operations.md#${section}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: comparisonOf(side),
      // Metrics are published with calls only, and no calls are no fault.
      treatMissingData: side.below ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (this.topic !== undefined) {
      const action = new SnsAction(this.topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    return alarm;
  }
}

function comparisonOf({ above, below }: Pick<Watch, 'above' | 'below'>): ComparisonOperator {
  if (below) return ComparisonOperator.LESS_THAN_THRESHOLD;
  return above
    ? ComparisonOperator.GREATER_THAN_THRESHOLD
    : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD;
}

function chooseTopic(scope: Construct, { stage: { alarms } }: MonitoredService): ITopic | undefined {
  if (alarms?.topicArn !== undefined) return Topic.fromTopicArn(scope, 'Topic', alarms.topicArn);
  if (alarms === undefined || alarms.addresses.length === 0) return undefined;
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  // A topic policy replaces SNS's default one, which lets every service of the account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'PublishAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  for (const address of alarms.addresses) topic.addSubscription(new EmailSubscription(address));
  acknowledge(
    topic,
    'Serverless::Serverless-SNSRedrivePolicy',
    'A notification that cannot be delivered is useless later; CloudWatch shows the alarm in any case.',
  );
  return topic;
}

function watchResponses(scope: Construct, { stage, api }: MonitoredService): Watch[] {
  const { alarms } = stage;
  const requests = api.metricRequests({ statistic: Stats.SUM, period: PERIOD });
  const unavailable = countUnavailable(scope, api, stage.name);
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

function watchParts({ stage, tables, authorizer, executor }: MonitoredService): Watch[] {
  const { config, keys, counters, cache, logs, usage } = tables.byName;
  const counted = { statistic: Stats.SUM, period: PERIOD };
  const throttles = [authorizer, executor].map(({ service }) => service.metricThrottles(counted));
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

function watchUsage({ rollup }: MonitoredService): Watch[] {
  return [
    {
      id: 'UsageLate',
      summary: 'The usage is more than an hour behind the log.',
      section: 'usage-late',
      metric: rollup.metricLateness({ period: PERIOD }),
      threshold: USAGE_LATE.toMilliseconds(),
    },
  ];
}

function watchProviders({ stage }: MonitoredService): Watch[] {
  const { alarms } = stage;
  return [
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

/** Two hours in a row, since an hour that is counted need not begin with a run. */
function watchHeads({ headWriter }: MonitoredService): Watch[] {
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

/** API Gateway has one metric for all 5xx; the access log has the status. Without a log group there is nothing to count. */
function countUnavailable(
  scope: Construct,
  { accessLog }: MonitoredService['api'],
  stage: string,
): Metric | undefined {
  if (accessLog === undefined) return undefined;
  const filter = new MetricFilter(scope, 'Answers503', {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue('$.status', '=', '503'),
    metricNamespace: METRIC_NAMESPACE,
    // The dimensions of a filter come from the log line, which does not name the stage.
    metricName: `Answers503-${stage}`,
    metricValue: '1',
  });
  return filter.metric({ statistic: Stats.SUM, period: PERIOD });
}
