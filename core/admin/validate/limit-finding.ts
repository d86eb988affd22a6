// One finding about limits, and how rules and amounts are named in one.
import type { RateLimit } from '../../settings/neuron-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';

/** Where, from the root of the document; `message` completes a sentence that begins with the path. */
export interface LimitDiagnostic {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** `refusals`: nothing may be applied; `warnings`: what the author should know. */
export interface LimitValidation {
  readonly refusals: readonly LimitDiagnostic[];
  readonly warnings: readonly LimitDiagnostic[];
}

/** A rate limit of a neuron or a usage limit of its organization, as judging sees both. */
export interface ValidatedRule {
  readonly metric: RateLimit['metric'];
  readonly scope: RateLimit['scope'] | 'organization';
  /** Requests, tokens or microdollars. */
  readonly limit: number;
  readonly period: RateLimit['period'] | 'day' | 'month';
  /** From the root of the document that it stands in. */
  readonly path: LimitDiagnostic['path'];
}

/** The rules of a neuron's own document. */
export function rulesOfNeuron(rateLimits: readonly RateLimit[]): readonly ValidatedRule[] {
  return rateLimits.map((rule, index) => ({ ...rule, path: ['rateLimits', index] }));
}

/** The rules of an organization's document. */
export function rulesOfOrganization({
  usageLimits,
}: Pick<Organization, 'usageLimits'>): readonly ValidatedRule[] {
  return usageLimits.map((rule, index) => ({
    ...rule,
    scope: 'organization',
    path: ['usageLimits', index],
  }));
}

/** `rateLimits[0] (20 requests a user in 1m)`. */
export function renderRule({ path: [list, index], metric, limit, scope, period }: ValidatedRule): string {
  const whose = { user: 'a user', ip: 'an address', total: 'in total', organization: 'in the organization' };
  return `${list}[${index}] (${renderAmount(metric, limit)} ${whose[scope]} in 1 ${period})`.replace(
    / in 1 (?=\d)/,
    ' in ',
  );
}

/** `20 requests`, `1 token`, `$0.5`. */
export function renderAmount(metric: RateLimit['metric'], amount: number): string {
  if (metric === 'cost') return `$${amount / 1_000_000}`;
  return `${amount} ${amount === 1 ? metric.slice(0, -1) : metric}`;
}
