// Service level objectives: alarms on how fast the error budget is used up, each over two windows (Google's SRE workbook, chapter 5).
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type MonitoredService, serviceMetric } from './monitored-service.ts';

/** A budget that is used up `burn` times as fast as it may be, over both windows. */
interface BurnRate {
  readonly id: string;
  readonly burn: number;
  readonly long: Duration;
  /** How many long windows in a row. */
  readonly periods: number;
  /** Ends the alarm soon after the errors end. */
  readonly short: Duration;
  readonly urgency: string;
}

/** Each window ends now. CloudWatch has none longer than a day, so three days are three of them. */
const BURN_RATES: readonly BurnRate[] = [
  {
    id: 'Fast',
    burn: 14.4,
    long: Duration.hours(1),
    periods: 1,
    short: Duration.minutes(5),
    urgency: 'Act at once: 2 % of the budget of 30 days went in an hour.',
  },
  {
    id: 'Medium',
    burn: 6,
    long: Duration.hours(6),
    periods: 1,
    short: Duration.minutes(30),
    urgency: 'Act at once: 5 % of the budget of 30 days went in six hours.',
  },
  {
    id: 'Slow',
    burn: 1,
    long: Duration.days(1),
    periods: 3,
    short: Duration.hours(6),
    urgency: 'Act this week: the budget of 30 days will not last.',
  },
];

/** Requests slower than `latencyP99` may be one of a hundred. */
const LATENCY_BUDGET = 0.01;

interface Objective {
  readonly id: string;
  readonly summary: string;
  /** The share of requests that may be bad. */
  readonly budget: number;
  readonly bad: (period: Duration) => IMetric;
  readonly total: (period: Duration) => IMetric;
}

export interface ObjectivesProps {
  readonly service: MonitoredService;
  readonly topic: ITopic | undefined;
}

/** One composite alarm for each objective and burn rate. Only those send: the alarms below them say how far a window is. */
export class Objectives extends Construct {
  constructor(scope: Construct, id: string, { service, topic }: ObjectivesProps) {
    super(scope, id);
    const minimum = service.stage.slo?.minimumFailures ?? 0;
    for (const objective of toObjectives(service))
      for (const rate of BURN_RATES) this.#watch(objective, rate, minimum, topic);
  }

  #watch(objective: Objective, rate: BurnRate, minimum: number, topic: ITopic | undefined): void {
    const { id, summary, budget } = objective;
    const windows = [
      // The minimum keeps a few failures of a quiet night from being a burning budget.
      this.#alarm(objective, rate, { name: 'Long', period: rate.long, periods: rate.periods, minimum }),
      this.#alarm(objective, rate, { name: 'Short', period: rate.short, periods: 1, minimum: 1 }),
    ];
    const composite = new CompositeAlarm(this, `${id}${rate.id}`, {
      alarmDescription: `${summary} ${rate.urgency} Budget: ${budget * 100} %. What to do: docs/operations.md#objectives`,
      alarmRule: AlarmRule.allOf(...windows.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
    });
    if (topic === undefined) return;
    const action = new SnsAction(topic);
    composite.addAlarmAction(action);
    composite.addOkAction(action);
  }

  #alarm(
    { id, budget, bad, total }: Objective,
    rate: BurnRate,
    window: { name: string; period: Duration; periods: number; minimum: number },
  ): Alarm {
    const { name, period, periods, minimum } = window;
    return new Alarm(this, `${id}${rate.id}${name}`, {
      alarmDescription: `Part of the alarm ${id}${rate.id}: a window of ${period.toHumanString()}.`,
      metric: new MathExpression({
        expression: `IF(bad >= ${minimum}, bad / total / ${budget}, 0)`,
        usingMetrics: { bad: bad(period), total: total(period) },
        label: 'burn rate',
        period,
      }),
      threshold: rate.burn,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Nobody called.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function toObjectives({ stage, api }: MonitoredService): Objective[] {
  const { availability, latencyP99 } = stage.slo ?? {};
  const objectives: Objective[] = [];
  if (availability !== undefined)
    objectives.push({
      id: 'Availability',
      summary: `More answers are 5xx than ${availability} % availability leaves room for.`,
      // Four digits after the point at most, which floating-point numbers do not have by themselves.
      budget: Number((1 - availability / 100).toFixed(6)),
      bad: (period) => api.metricServerErrors({ statistic: Stats.SUM, period }),
      total: (period) => api.metricRequests({ statistic: Stats.SUM, period }),
    });
  if (latencyP99 !== undefined)
    objectives.push({
      id: 'OwnLatency',
      summary: `More than one of a hundred calls take longer than ${latencyP99} ms, the wait for models left out.`,
      budget: LATENCY_BUDGET,
      // How many values are above (AmazonCloudWatch/latest/monitoring/Statistics-definitions.html, trimmed count).
      bad: (period) => serviceMetric(stage, 'ownLatency', { statistic: `TC(${latencyP99}:)`, period }),
      total: (period) => serviceMetric(stage, 'ownLatency', { statistic: Stats.SAMPLE_COUNT, period }),
    });
  return objectives;
}
