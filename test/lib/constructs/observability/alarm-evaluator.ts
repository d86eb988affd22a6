// Evaluates the alarms of a template over minutes of requests, as CloudWatch documents it: each minute over sliding windows that end then
// (AmazonCloudWatch/latest/monitoring/alarm-evaluation.html, using-metric-math.html).
import type { Template } from '../../synthesized.ts';

/** One minute; undefined counts are of a minute without requests, for which no metric has a value. */
export interface Minute {
  readonly total: number;
  readonly bad: number;
}

type Values = Readonly<Record<string, number | undefined>>;

/** An expression of numbers, names, `+ - * /`, comparisons and IF. No value in gives no value out. */
export function evaluateExpression(text: string, values: Values): number | undefined {
  const tokens = text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?(?:e-?\d+)?|>=|<=|[-+*/(),<>]/g) ?? [];
  if (tokens.join('').length !== text.replaceAll(/\s/g, '').length) throw new Error(`cannot read ${text}`);
  let at = 0;
  const take = (expected?: string): string => {
    const token = tokens[at];
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`${text}: ${expected ?? 'more'} expected, found ${token ?? 'the end'}`);
    at += 1;
    return token;
  };
  const primary = (): number | undefined => {
    const token = take();
    if (token === '(') {
      const inner = comparison();
      take(')');
      return inner;
    }
    if (token === 'IF') {
      take('(');
      const condition = comparison();
      take(',');
      const yes = comparison();
      take(',');
      const no = comparison();
      take(')');
      return condition === undefined ? undefined : condition === 0 ? no : yes;
    }
    if (/^[A-Za-z_]/.test(token)) {
      if (!(token in values)) throw new Error(`${text}: ${token} is no metric`);
      return values[token];
    }
    return Number(token);
  };
  const chain = (operators: readonly string[], operand: () => number | undefined): number | undefined => {
    let left = operand();
    while (operators.includes(tokens[at] ?? '')) {
      const operator = take();
      const right = operand();
      left = left === undefined || right === undefined ? undefined : apply(operator, left, right);
    }
    return left;
  };
  const product = () => chain(['*', '/'], primary);
  const sum = () => chain(['+', '-'], product);
  const comparison = (): number | undefined => chain(['>=', '<=', '>', '<'], sum);
  const result = comparison();
  if (at !== tokens.length) throw new Error(`${text}: ends with ${tokens.slice(at).join(' ')}`);
  return result;
}

/** A division by zero gives no value, as in CloudWatch. */
function apply(operator: string, left: number, right: number): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : left / right;
    case '>=':
      return Number(left >= right);
    case '<=':
      return Number(left <= right);
    case '>':
      return Number(left > right);
    default:
      return Number(left < right);
  }
}

interface AlarmProperties {
  readonly ComparisonOperator: string;
  readonly EvaluationPeriods: number;
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly Metrics: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: { readonly Period: number };
  }[];
}

/** Sums of both counts up to each minute, so that a window is one subtraction. */
interface Sums {
  readonly total: readonly number[];
  readonly bad: readonly number[];
}

function addUp(minutes: readonly Minute[]): Sums {
  const [total, bad] = [[0], [0]];
  for (const minute of minutes) {
    total.push(total.at(-1)! + minute.total);
    bad.push(bad.at(-1)! + minute.bad);
  }
  return { total, bad };
}

/** Whether the alarm is in ALARM at the end of a minute: every window in a row has to breach. */
function isInAlarm(alarm: AlarmProperties, sums: Sums, minute: number): boolean {
  if (
    alarm.ComparisonOperator !== 'GreaterThanOrEqualToThreshold' ||
    alarm.TreatMissingData !== 'notBreaching'
  )
    throw new Error('the evaluator knows one kind of alarm alone');
  const expression = alarm.Metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '';
  const period = alarm.Metrics.find(({ MetricStat }) => MetricStat !== undefined)!.MetricStat!.Period / 60;
  return Array.from({ length: alarm.EvaluationPeriods }, (_, index) => {
    const [from, to] = [minute - (index + 1) * period, minute - index * period].map((at) => Math.max(0, at));
    const total = sums.total[to!]! - sums.total[from!]!;
    const bad = sums.bad[to!]! - sums.bad[from!]!;
    // Metrics have values in minutes with requests alone.
    const values = total === 0 ? { total: undefined, bad: undefined } : { total, bad };
    const value = evaluateExpression(expression, values);
    return value !== undefined && value >= alarm.Threshold;
  }).every(Boolean);
}

/** For each composite alarm of a template whose name begins so: the first minute in which it goes off, and the one in which it ends. */
export function whoIsPaged(
  { Resources }: Template,
  prefix: string,
  minutes: readonly Minute[],
): Record<string, { readonly after: number; readonly until: number | undefined }> {
  const sums = addUp(minutes);
  const composites = Object.entries(Resources).filter(
    ([id, { Type }]) => Type === 'AWS::CloudWatch::CompositeAlarm' && id.includes(prefix),
  );
  const found = composites.map(([id, { Properties }]) => {
    const children = [
      ...JSON.stringify(Properties['AlarmRule']).matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g),
    ].map(([, child]) => Resources[child!]!.Properties as unknown as AlarmProperties);
    if (children.length !== 2) throw new Error(`${id} has ${children.length} parts`);
    const isOn = (minute: number) => children.every((alarm) => isInAlarm(alarm, sums, minute));
    let after: number | undefined;
    let until: number | undefined;
    for (let minute = 1; minute <= minutes.length && until === undefined; minute += 1) {
      const on = isOn(minute);
      if (on && after === undefined) after = minute;
      if (!on && after !== undefined) until = minute;
    }
    const name = /(Fast|Medium|Slow)/.exec(id.slice(id.indexOf(prefix)))?.[1] ?? id;
    return after === undefined ? [] : [[name, { after, until }] as const];
  });
  return Object.fromEntries(found.flat());
}
