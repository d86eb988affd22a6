// A limit as validation sees it, of a neuron or of its organization, and how limits and amounts are named in messages.

import type { LimitPeriod } from '../../../limits/window.ts';
import { renderCondition, type TokenCondition } from '../../../settings/access-schema.ts';
import type { RateLimit } from '../../../settings/neuron-schema.ts';
import type { Organization } from '../../../settings/organization-schema.ts';
import type { Path } from '../../../settings/path.ts';

/** A rate limit of a neuron or a usage limit of its organization, whichever it is. */
export interface LimitRule {
  readonly metric: RateLimit['metric'];
  readonly scope: RateLimit['scope'] | 'organization';
  /** Requests, tokens, microdollars or runs at once. */
  readonly limit: number;
  /** Undefined for runs at once. */
  readonly period?: LimitPeriod;
  /** The callers that it is for; undefined for all. */
  readonly when?: TokenCondition | undefined;
  /** From the root of its document. */
  readonly path: Path;
}

/** The rules of a neuron's own document. */
export function rulesOfNeuron(rateLimits: readonly RateLimit[]): readonly LimitRule[] {
  return rateLimits.map((rule, index) => ({ ...rule, path: ['rateLimits', index] }));
}

/** The rules of an organization's document. */
export function rulesOfOrganization({
  usageLimits,
}: Pick<Organization, 'usageLimits'>): readonly LimitRule[] {
  return usageLimits.map((rule, index) => ({
    ...rule,
    scope: 'organization',
    path: ['usageLimits', index],
  }));
}

/** `rateLimits[0] (20 requests a user in 1m)`. */
export function renderRule(rule: LimitRule): string {
  const { metric, limit, scope, period, when: condition } = rule;
  const [list, index] = rule.path;
  const whose = { user: 'a user', ip: 'an address', total: 'in total', organization: 'in the organization' };
  const when = period === undefined ? '' : ` in 1 ${period}`.replace(/ in 1 (?=\d)/, ' in ');
  const of = condition === undefined ? '' : ` where ${renderCondition(condition)}`;
  return `${list}[${index}] (${renderAmount(metric, limit)} ${whose[scope]}${when}${of})`;
}

/** `20 requests`, `1 token`, `$0.5`. */
export function renderAmount(metric: RateLimit['metric'], amount: number): string {
  if (metric === 'cost') return `$${amount / 1_000_000}`;
  if (metric === 'concurrent') return `${amount} ${amount === 1 ? 'run' : 'runs'} at once`;
  return `${amount} ${amount === 1 ? metric.slice(0, -1) : metric}`;
}
