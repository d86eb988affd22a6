// Validates limits before they are applied: limits that can never act or never let anything run are errors, risks are warnings.

import { costOfUsage, findPrice } from '../../../pricing/cost.ts';
import type { Access } from '../../../settings/access-schema.ts';
import type { Neuron } from '../../../settings/neuron-schema.ts';
import type { Organization } from '../../../settings/organization-schema.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { type CostOf, type ModelUse, validateModelCalls } from './model-calls.ts';
import { validateOverlaps } from './overlapping-rules.ts';
import { type LimitRule, rulesOfNeuron, rulesOfOrganization } from './rule.ts';

/** The organization that a neuron's limits are validated against. */
interface LimitOwner {
  /** Slug. */
  readonly organization: string;
  /** Undefined where they are not known: what depends on them is then not validated. */
  readonly settings: Organization | undefined;
}

/**
 * Validates the rate limits of a neuron, and its flow against them and against the limits of its organization. Paths begin at the
 * root of the document.
 */
export function validateRateLimits(neuron: Neuron, owner: LimitOwner): PartDiagnostic[] {
  const own = rulesOfNeuron(neuron.rateLimits);
  const outer = owner.settings === undefined ? [] : rulesOfOrganization(owner.settings);
  const costOf = owner.settings && costsIn(owner.settings);
  return [
    ...validateUserScope(neuron.access, own),
    ...validateConditions(neuron.access, own),
    ...validateOverlaps(own, outer),
    ...validateModelCalls([...own, ...outer], {
      maxInputBytes: neuron.maxInputBytes,
      flow: neuron.flow,
      embedding: embeddingOf(neuron),
      costOf,
      organization: owner.organization,
    }),
    ...warnOfSharedUser(neuron.access, own),
    ...warnOfOpen(neuron.access, own),
  ];
}

/** Validates the usage limits of an organization beside each other. */
export function validateUsageLimits(organization: Pick<Organization, 'usageLimits'>): PartDiagnostic[] {
  return validateOverlaps(rulesOfOrganization(organization));
}

function costsIn(organization: Organization): CostOf {
  return (provider, model, usage) => {
    const price = findPrice(organization, provider, model);
    return price && costOfUsage(usage, price);
  };
}

function embeddingOf({ caching }: Neuron): ModelUse['embedding'] {
  if (caching.semantic === undefined) return undefined;
  return { path: ['caching', 'semantic', 'embedding'], ...caching.semantic.embedding };
}

function validateUserScope(access: Access, rules: readonly LimitRule[]): PartDiagnostic[] {
  if (access.apiKey === true || access.jwt !== undefined) return [];
  const message =
    'is user, but nobody who calls this neuron has a username or an API key: access has neither jwt nor apiKey. Use ip or total, or add one of them.';
  return rules
    .filter(({ scope }) => scope === 'user')
    .map(({ path }) => errorAt([...path, 'scope'], message));
}

function validateConditions({ jwt }: Access, rules: readonly LimitRule[]): PartDiagnostic[] {
  if (jwt !== undefined) return [];
  const message =
    'is for callers with a claim in their token, but nobody who calls this neuron has one: access has no jwt. Remove it, or add jwt.';
  return rules
    .filter(({ when }) => when !== undefined)
    .map(({ path }) => errorAt([...path, 'when'], message));
}

function warnOfSharedUser({ jwt }: Access, rules: readonly LimitRule[]): PartDiagnostic[] {
  const rule = rules.find(({ scope }) => scope === 'user');
  if (rule === undefined || jwt === undefined || jwt.usernamePath !== undefined) return [];
  const message =
    'is user, but access.jwt has no usernamePath, so all callers with a token count as one user. Add usernamePath, such as sub.';
  return [warningAt([...rule.path, 'scope'], message)];
}

function warnOfOpen(access: Access, rules: readonly LimitRule[]): PartDiagnostic[] {
  const { public: open, referers, ...others } = access;
  const isClosed = Object.values(others).some((setting) => setting !== undefined);
  const isOpen = open === true || (!isClosed && referers !== undefined && referers.length > 0);
  // Runs at once, one after the other, come to any amount.
  const bounding = rules.filter(({ metric, when }) => metric !== 'concurrent' && when === undefined);
  if (!isOpen || bounding.some(({ scope }) => scope === 'total' || scope === 'ip')) return [];
  const message =
    'lets everybody in, and no limit of scope total or ip bounds what that may come to. Add one, such as `rateLimits: [{ metric: requests, scope: ip, limit: 60, period: 1m }]`.';
  return [warningAt(['access', open === true ? 'public' : 'referers'], message)];
}
