// Judges rules beside each other: two on one counter, and rules that change nothing because another always refuses as early.
import { parseDuration } from '../../settings/scalars.ts';
import {
  type LimitDiagnostic,
  type LimitValidation,
  renderAmount,
  renderRule,
  type ValidatedRule,
} from './limit-finding.ts';

/**
 * Judges the rules of one document. `outer` are rules of another document that hold beside them: a rule that these make
 * needless is only warned about, since the other document may change without this one.
 */
export function validateRules(
  own: readonly ValidatedRule[],
  outer: readonly ValidatedRule[] = [],
): LimitValidation {
  const doubled = own.flatMap((rule, index) => refuseSecond(rule, own.slice(0, index)));
  const needless = own.flatMap((rule) => {
    const inner = findShadow(rule, own);
    if (inner !== undefined) return [{ finding: explain(rule, inner), certain: inner.certain }];
    const outside = findShadow(rule, outer);
    return outside === undefined ? [] : [{ finding: explain(rule, outside), certain: false }];
  });
  return {
    refusals: [...doubled, ...needless.filter(({ certain }) => certain).map(({ finding }) => finding)],
    warnings: needless.filter(({ certain }) => !certain).map(({ finding }) => finding),
  };
}

function refuseSecond(rule: ValidatedRule, before: readonly ValidatedRule[]): LimitDiagnostic[] {
  const first = before.find((other) => hasSameCounter(rule, other));
  if (first === undefined) return [];
  const message = `counts on the same counter as ${renderRule(first)}, and of two limits on one counter only the smaller can act. Keep that one.`;
  return [{ path: rule.path, message }];
}

function hasSameCounter(a: ValidatedRule, b: ValidatedRule): boolean {
  return a.metric === b.metric && a.scope === b.scope && a.period === b.period;
}

/** Another rule beside which a rule changes nothing, and the most that the other lets through in one window of the rule. */
interface Shadow {
  readonly other: ValidatedRule;
  readonly most: number;
  readonly certain: boolean;
}

/** Whatever a scope counts, these count too. */
const COUNTED_BY = {
  user: ['user', 'total', 'organization'],
  ip: ['ip', 'total', 'organization'],
  total: ['total', 'organization'],
  organization: ['organization'],
} as const satisfies Record<ValidatedRule['scope'], readonly ValidatedRule['scope'][]>;

function findShadow(rule: ValidatedRule, rules: readonly ValidatedRule[]): Shadow | undefined {
  const wider: readonly string[] = COUNTED_BY[rule.scope];
  for (const other of rules) {
    if (other.metric !== rule.metric || hasSameCounter(rule, other) || !wider.includes(other.scope)) continue;
    const windows = mostWindows(rule.period, other.period);
    const most = windows * other.limit;
    // Across several windows only requests are sure to add up to no more: a provider may report more tokens than were reserved.
    if (rule.limit >= most) return { other, most, certain: windows === 1 || rule.metric === 'requests' };
  }
  return undefined;
}

function explain(rule: ValidatedRule, { other, most }: Shadow): LimitDiagnostic {
  const sum =
    most === other.limit
      ? ''
      : `, which lets at most ${renderAmount(rule.metric, most)} through in ${nameOf(rule.period)}`;
  return {
    path: rule.path,
    message: `changes nothing: whatever it would refuse, ${renderRule(other)} refuses too${sum}. Remove it, or set its limit below ${renderAmount(rule.metric, most)}.`,
  };
}

function nameOf(period: ValidatedRule['period']): string {
  return period === 'month' ? 'a month' : period;
}

const DAY_MS = 86_400_000;
const LONGEST_MONTH_DAYS = 31;

/** The most windows of `other` that one window of `period` can touch. */
function mostWindows(period: ValidatedRule['period'], other: ValidatedRule['period']): number {
  // No window reaches over midnight, and so none over the end of a month.
  if (other === 'month') return 1;
  // Only limits of the organization have months, and beside those only days.
  if (period === 'month') return LONGEST_MONTH_DAYS;
  const own = lengthOf(period);
  const others = lengthOf(other);
  if (others % own === 0) return 1;
  return own % others === 0 ? own / others : Math.ceil(own / others) + 1;
}

function lengthOf(period: Exclude<ValidatedRule['period'], 'month'>): number {
  // What is no duration is `day`.
  return parseDuration(period) ?? DAY_MS;
}
