// Judges limits before they are applied: what could never act or never let anything run is refused, what is risky is warned about.
import type { Access } from '../../settings/access-schema.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import {
  type LimitDiagnostic,
  type LimitValidation,
  rulesOfNeuron,
  rulesOfOrganization,
  type ValidatedRule,
} from './limit-finding.ts';
import { validateRules } from './limit-rules.ts';
import { type ValidatedCalls, validateCalls } from './limited-calls.ts';

/** What of a neuron is judged, and what hangs on it. */
export interface ValidatedNeuron extends Pick<ValidatedCalls, 'calls' | 'costOf'> {
  readonly neuron: Pick<Neuron, 'access' | 'rateLimits' | 'caching'>;
  readonly organizationSlug: string;
  /** Undefined where it is not known: what depends on it is not judged. */
  readonly organization: Pick<Organization, 'usageLimits'> | undefined;
}

/** Judges the rate limits of a neuron, and its flow against them and against the limits of its organization. */
export function validateRateLimits(judged: ValidatedNeuron): LimitValidation {
  const { neuron, calls, costOf, organization, organizationSlug } = judged;
  const own = rulesOfNeuron(neuron.rateLimits);
  const outer = organization === undefined ? [] : rulesOfOrganization(organization);
  const rules = validateRules(own, outer);
  const embedding = embeddingOf(neuron);
  return {
    refusals: [
      ...refuseWithoutUsers(neuron.access, own),
      ...rules.refusals,
      ...validateCalls([...own, ...outer], { calls, embedding, costOf, organization: organizationSlug }),
    ],
    warnings: [...rules.warnings, ...warnOfSharedUser(neuron.access, own), ...warnOfOpen(neuron.access, own)],
  };
}

/** Judges the usage limits of an organization beside each other. */
export function validateUsageLimits(organization: Pick<Organization, 'usageLimits'>): LimitValidation {
  return validateRules(rulesOfOrganization(organization));
}

function embeddingOf({ caching }: ValidatedNeuron['neuron']): ValidatedCalls['embedding'] {
  if (caching.semantic === undefined) return undefined;
  return { path: ['caching', 'semantic', 'embedding'], ...caching.semantic.embedding };
}

function refuseWithoutUsers(access: Access, rules: readonly ValidatedRule[]): LimitDiagnostic[] {
  if (access.apiKey === true || access.jwt !== undefined) return [];
  return rules
    .filter(({ scope }) => scope === 'user')
    .map(({ path }) => ({
      path: [...path, 'scope'],
      message:
        'is user, but nobody who calls this neuron has a username or an API key: access has neither jwt nor apiKey. Use ip or total, or add one of them.',
    }));
}

function warnOfSharedUser({ jwt }: Access, rules: readonly ValidatedRule[]): LimitDiagnostic[] {
  const rule = rules.find(({ scope }) => scope === 'user');
  if (rule === undefined || jwt === undefined || jwt.usernamePath !== undefined) return [];
  return [
    {
      path: [...rule.path, 'scope'],
      message:
        'is user, but access.jwt has no usernamePath, so all callers with a token count as one user. Add usernamePath, such as sub.',
    },
  ];
}

function warnOfOpen(access: Access, rules: readonly ValidatedRule[]): LimitDiagnostic[] {
  const { public: open, referers, ...others } = access;
  const isClosed = Object.values(others).some((setting) => setting !== undefined);
  const isOpen = open === true || (!isClosed && referers !== undefined && referers.length > 0);
  if (!isOpen || rules.some(({ scope }) => scope === 'total' || scope === 'ip')) return [];
  const message =
    'lets everybody in, and no limit of scope total or ip bounds what that may come to. Add one, such as `rateLimits: [{ metric: requests, scope: ip, limit: 60, period: 1m }]`.';
  return [{ path: ['access', open === true ? 'public' : 'referers'], message }];
}
