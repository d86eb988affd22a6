// The alarms: each of something that somebody has to do something about, with the page that says what.

import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../../../core/contract/metrics.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import type { MonitoredService } from './monitored-service.ts';
import { serviceMetric } from './service-metric.ts';

/** What counts where the stage says nothing. */
const DEFAULTS = {
  serverErrorPercent: 1,
  unavailablePercent: 5,
  latencyP99: 30_000,
  providerErrors: 50,
  /** Microdollars: 50 dollars a day. */
  dailySpending: 50_000_000,
};

/** How many of the authorizer's faults within five minutes: one alone may be a JWKS endpoint of one organization. */
const FAULTS = 5;

/** How old a log entry may be that the usage lacks. Lambda gives it up after twelve hours, so there is time to mend what fails. */
const USAGE_LATE = Duration.hours(1);

const PERIOD = Duration.minutes(5);

/** One alarm: of what, from when on, and its section in docs/operations.md. */
interface Watch {
  readonly id: string;
  readonly says: string;
  readonly section: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many periods in a row. @default 1 */
  readonly periods?: number;
  /** Above the threshold instead of at or above it. @default false */
  readonly above?: boolean;
}

export interface AlarmsProps {
  readonly service: MonitoredService;
  /** @default a topic with the stage's addresses; none where there are none */
  readonly alarmTopic?: ITopic | undefined;
}

/** A class, because CDK's tree is made of constructs. */
export class Alarms extends Construct {
  /** Absent where nobody is told. */
  readonly topic: ITopic | undefined;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { service, alarmTopic }: AlarmsProps) {
    super(scope, id);
    this.topic = alarmTopic ?? chooseTopic(this, service);
    const watches = [
      ...watchAnswers(this, service),
      ...watchParts(service),
      ...watchUsage(service),
      ...watchMoney(service),
    ];
    this.all = watches.map((watch) => this.#watch(watch));
  }

  #watch({ id, says, section, metric, threshold, periods = 1, above = false }: Watch): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `${says} What to do: docs/operations.md#${section}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: above
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Nobody calling is no fault: metrics are published with calls only.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.topic !== undefined) {
      const action = new SnsAction(this.topic);
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    return alarm;
  }
}

function chooseTopic(scope: Construct, { stage: { alarms } }: MonitoredService): ITopic | undefined {
  if (alarms?.topicArn !== undefined) return Topic.fromTopicArn(scope, 'Topic', alarms.topicArn);
  if (alarms === undefined || alarms.addresses.length === 0) return undefined;
  const topic = new Topic(scope, 'Topic', { enforceSSL: true });
  for (const address of alarms.addresses) topic.addSubscription(new EmailSubscription(address));
  acknowledge(
    topic,
    'Serverless::Serverless-SNSRedrivePolicy',
    'A message that no mailbox takes is of no use to anybody later: the alarm shows in CloudWatch all the same.',
  );
  return topic;
}

function watchAnswers(scope: Construct, { stage, api }: MonitoredService): Watch[] {
  const { alarms } = stage;
  const requests = api.metricRequests({ statistic: Stats.SUM, period: PERIOD });
  const unavailable = countUnavailable(scope, api, stage.name);
  const latency = alarms?.latencyP99 ?? DEFAULTS.latencyP99;
  return [
    {
      id: 'ServerErrors',
      says: 'Too many answers are 5xx.',
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
            says: 'Too many answers are 503: something that the service needs does not answer.',
            section: 'unavailable',
            metric: percentage(unavailable, requests),
            threshold: alarms?.unavailablePercent ?? DEFAULTS.unavailablePercent,
            above: true,
          },
        ]),
    {
      id: 'Latency',
      says: 'The slowest of a hundred answers take too long.',
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
  const refusals = [
    ...[config, keys, counters, cache].map((table) => table.metric('ReadThrottleEvents', counted)),
    ...[counters, cache, logs, usage].map((table) => table.metric('WriteThrottleEvents', counted)),
  ];
  return [
    {
      id: 'AuthorizerFaults',
      says: 'The authorizer cannot judge callers, who get 503. Refused callers (401, 403) are not counted.',
      section: 'authorizer-faults',
      metric: serviceMetric(stage, 'authorizerFaults', { period: PERIOD }),
      threshold: FAULTS,
    },
    {
      id: 'FunctionThrottles',
      says: 'Lambda refuses to run a function: a wall of concurrency is reached.',
      section: 'function-throttles',
      metric: sum('function throttles', throttles),
      threshold: 1,
    },
    {
      id: 'TableThrottles',
      says: 'DynamoDB refuses reads or writes of a table.',
      section: 'table-throttles',
      metric: sum('table throttles', refusals),
      threshold: 1,
    },
    {
      id: 'LogLosses',
      says: 'Log entries could not be put; their lines stand for them.',
      section: 'log-losses',
      metric: serviceMetric(stage, 'logLosses', { period: PERIOD }),
      threshold: 1,
    },
  ];
}

function watchUsage({ rollup }: MonitoredService): Watch[] {
  return [
    {
      id: 'UsageLate',
      says: 'The usage lacks log entries of an hour ago.',
      section: 'usage-late',
      metric: rollup.metricLateness({ period: PERIOD }),
      threshold: USAGE_LATE.toMilliseconds(),
    },
  ];
}

function watchMoney({ stage }: MonitoredService): Watch[] {
  const { alarms } = stage;
  return [
    {
      id: 'ProviderErrors',
      says: 'Calls of models fail.',
      section: 'provider-errors',
      metric: serviceMetric(stage, 'providerErrors', { period: PERIOD }),
      threshold: alarms?.providerErrors ?? DEFAULTS.providerErrors,
    },
    {
      id: 'Spending',
      says: 'Model calls of a day cost more than planned.',
      section: 'spending',
      metric: serviceMetric(stage, 'costMicrodollars', { period: Duration.days(1) }),
      threshold: alarms?.dailySpending ?? DEFAULTS.dailySpending,
      above: true,
    },
  ];
}

/** API Gateway counts 5xx as one; the access log knows which. Without a log group there is nothing to count. */
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
    // Filters may give a metric dimensions only from the line, which does not name the stage.
    metricName: `Answers503-${stage}`,
    metricValue: '1',
  });
  return filter.metric({ statistic: Stats.SUM, period: PERIOD });
}

function percentage(part: IMetric, whole: IMetric): MathExpression {
  return new MathExpression({
    expression: '100 * FILL(part, 0) / whole',
    usingMetrics: { part, whole },
    label: 'percent',
    period: PERIOD,
  });
}

function sum(label: string, metrics: readonly IMetric[]): MathExpression {
  const named = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period: PERIOD,
  });
}
