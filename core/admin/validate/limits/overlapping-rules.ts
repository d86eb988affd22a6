// Validates limits beside each other: two on one counter, and limits that change nothing because another always rejects as early.
import { conditionId } from '../../../settings/access-schema.ts';
import { parseDuration } from '../../../settings/scalars.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { type LimitRule, renderAmount, renderRule } from './rule.ts';

/**
 * Validates the limits of one document. `outer` are limits of another document that hold beside them: a limit that these make
 * redundant is only warned about, since the other document may change without this one.
 */
export function validateOverlaps(
  own: readonly LimitRule[],
  outer: readonly LimitRule[] = [],
): PartDiagnostic[] {
  const duplicates = own.flatMap((rule, index) => validateCounter(rule, own.slice(0, index)));
  const redundant = own.flatMap((rule) => {
    const inner = findShadow(rule, own);
    if (inner !== undefined) {
      return [(inner.certain ? errorAt : warningAt)(rule.path, describeRedundant(rule, inner))];
    }
    const outside = findShadow(rule, outer);
    return outside === undefined ? [] : [warningAt(rule.path, describeRedundant(rule, outside))];
  });
  return [...duplicates, ...redundant];
}

function validateCounter(rule: LimitRule, before: readonly LimitRule[]): PartDiagnostic[] {
  const first = before.find((other) => hasSameCounter(rule, other));
  if (first === undefined) return [];
  const message = `counts on the same counter as ${renderRule(first)}, and of two limits on one counter only the smaller can act. Keep that one.`;
  return [errorAt(rule.path, message)];
}

function hasSameCounter(a: LimitRule, b: LimitRule): boolean {
  return a.metric === b.metric && a.scope === b.scope && a.period === b.period && isSameCondition(a, b);
}

function isSameCondition({ when: a }: LimitRule, { when: b }: LimitRule): boolean {
  return a === undefined || b === undefined ? a === b : conditionId(a) === conditionId(b);
}

/** Another rule beside which a rule changes nothing, and the most that the other lets through in one window of the rule. */
interface Shadow {
  readonly other: LimitRule;
  readonly most: number;
  readonly certain: boolean;
}

/** Whatever a scope counts, these count too. */
const COUNTED_BY = {
  user: ['user', 'total', 'organization'],
  ip: ['ip', 'total', 'organization'],
  total: ['total', 'organization'],
  organization: ['organization'],
} as const satisfies Record<LimitRule['scope'], readonly LimitRule['scope'][]>;

function findShadow(rule: LimitRule, rules: readonly LimitRule[]): Shadow | undefined {
  const wider: readonly string[] = COUNTED_BY[rule.scope];
  for (const other of rules) {
    if (other.metric !== rule.metric || hasSameCounter(rule, other) || !wider.includes(other.scope)) continue;
    // A rule for some callers says nothing about others.
    if (other.when !== undefined && !isSameCondition(rule, other)) continue;
    const windows = mostWindows(rule.period, other.period);
    const most = windows * other.limit;
    // Across several windows only requests are sure to add up to no more: a provider may report more tokens than were reserved.
    if (rule.limit >= most) return { other, most, certain: windows === 1 || rule.metric === 'requests' };
  }
  return undefined;
}

function describeRedundant(rule: LimitRule, { other, most }: Shadow): string {
  const sum =
    most === other.limit
      ? ''
      : `, which lets at most ${renderAmount(rule.metric, most)} through in ${nameOf(rule.period)}`;
  return `changes nothing: whatever it would refuse, ${renderRule(other)} refuses too${sum}. Remove it, or set its limit below ${renderAmount(rule.metric, most)}.`;
}

function nameOf(period: LimitRule['period']): string {
  return period === 'month' ? 'a month' : `${period}`;
}

const DAY_MS = 86_400_000;
const MAX_MONTH_DAYS = 31;

/** The most windows of `other` that one window of `period` can touch. */
function mostWindows(period: LimitRule['period'], other: LimitRule['period']): number {
  // No window reaches over midnight, and so none over the end of a month.
  if (other === 'month') return 1;
  // Only limits of the organization have months, and beside those only days.
  if (period === 'month') return MAX_MONTH_DAYS;
  const own = lengthOf(period);
  const others = lengthOf(other);
  if (others % own === 0) return 1;
  return own % others === 0 ? own / others : Math.ceil(own / others) + 1;
}

function lengthOf(period: Exclude<LimitRule['period'], 'month'>): number {
  // Only `day` is no duration. Concurrency limits have no period, and are compared with each other alone.
  return parseDuration(`${period}`) ?? DAY_MS;
}
