// Expressions that alarms compute from metrics.
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';

/** The period of most alarms. */
export const PERIOD = Duration.minutes(5);

/** A part of the whole, in percent; no value where the whole has none. */
export function percentage(part: IMetric, whole: IMetric): MathExpression {
  return new MathExpression({
    expression: '100 * FILL(part, 0) / whole',
    usingMetrics: { part, whole },
    label: 'percent',
    period: PERIOD,
  });
}

/** A metric without a value counts 0. */
export function sum(label: string, metrics: readonly Metric[]): MathExpression {
  const named = metrics.map((metric, index) => [`m${index}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period: PERIOD,
  });
}
