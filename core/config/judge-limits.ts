// Judges the limits of a neuron beside its access, its flow and the prices and limits of its organization.
import { listModelCalls } from '../flow/list-model-calls.ts';
import type { LimitFinding } from '../limits/finding.ts';
import { judgeRateLimits } from '../limits/judge.ts';
import { costOfUsage } from '../pricing/cost.ts';
import { findPrice } from '../pricing/find-price.ts';
import { findingAt } from './finding.ts';
import type { Findings, ReadNeuron } from './judged.ts';
import type { Organization } from './organization-schema.ts';

/** `organization` is undefined where it is not known, and what depends on it is not judged. */
export function judgeLimits(
  { source, parsed, organization: organizationSlug }: ReadNeuron,
  organization: Organization | undefined,
): Findings {
  const { refusals, warnings } = judgeRateLimits({
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
  const toFinding = ({ path, message }: LimitFinding) => findingAt(source, path, message);
  return { refusals: refusals.map(toFinding), warnings: warnings.map(toFinding) };
}
