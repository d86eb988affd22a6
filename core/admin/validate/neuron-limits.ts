// Judges the limits of a neuron beside its access, its flow and the prices and limits of its organization.

import { costOfUsage } from '../../pricing/cost.ts';
import { findPrice } from '../../pricing/find-price.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import { diagnosticAt } from '../diagnostic.ts';
import type { LimitDiagnostic } from './limit-finding.ts';
import { validateRateLimits } from './limits.ts';
import { listModelCalls } from './list-model-calls.ts';
import type { Diagnostics, ReadNeuron } from './validated.ts';

/** `organization` is undefined where it is not known, and what depends on it is not judged. */
export function validateLimits(
  { source, parsed, organization: organizationSlug }: ReadNeuron,
  organization: Organization | undefined,
): Diagnostics {
  const { refusals, warnings } = validateRateLimits({
    neuron: parsed,
    calls: parsed.flow === undefined ? [] : listModelCalls(parsed.flow),
    organization,
    organizationSlug,
    costOf:
      organization &&
      ((provider, model, usage) => {
        const price = findPrice(organization, provider, model);
        return price && costOfUsage(usage, price);
      }),
  });
  const toDiagnostic = ({ path, message }: LimitDiagnostic) => diagnosticAt(source, path, message);
  return { refusals: refusals.map(toDiagnostic), warnings: warnings.map(toDiagnostic) };
}
