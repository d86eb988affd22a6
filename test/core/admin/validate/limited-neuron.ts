// Documents as text, and what is said of their limits, each finding on a line.
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderPath } from '../../../../core/admin/diagnostic.ts';
import type { LimitValidation } from '../../../../core/admin/validate/limit-finding.ts';
import { validateRateLimits } from '../../../../core/admin/validate/limits.ts';
import { listModelCalls } from '../../../../core/admin/validate/list-model-calls.ts';
import { costOfUsage } from '../../../../core/pricing/cost.ts';
import { findPrice } from '../../../../core/pricing/find-price.ts';
import { type Neuron, neuronSchema } from '../../../../core/settings/neuron-schema.ts';
import { type Organization, organizationSchema } from '../../../../core/settings/organization-schema.ts';

export const CLOSED = 'access: { apiKey: true }';

export function toNeuron(text: string): Neuron {
  const [document] = parseYaml('a.yaml', `neuron: acme/a\n${text}`).documents;
  return neuronSchema.parse(document?.value);
}

export function toOrganization(text: string): Organization {
  const [document] = parseYaml('a.yaml', `organization: acme\n${text}`).documents;
  return organizationSchema.parse(document?.value);
}

export function judge(neuronText: string, organizationText?: string) {
  const neuron = toNeuron(neuronText);
  const organization = organizationText === undefined ? undefined : toOrganization(organizationText);
  return render(
    validateRateLimits({
      neuron,
      calls: neuron.flow === undefined ? [] : listModelCalls(neuron.flow),
      organization,
      organizationSlug: 'acme',
      costOf:
        organization &&
        ((provider, model, usage) => {
          const price = findPrice(organization, provider, model);
          return price && costOfUsage(usage, price);
        }),
    }),
  );
}

function render({ refusals, warnings }: LimitValidation) {
  const line = ({ path, message }: LimitValidation['refusals'][number]) => `${renderPath(path)} ${message}`;
  return { refusals: refusals.map(line), warnings: warnings.map(line) };
}

export const NOTHING = { refusals: [], warnings: [] };

/** Rules as text, such as `requests user 10 1m`. */
export function rules(...texts: string[]): string {
  const list = texts.map((text) => {
    const [metric, scope, limit, period] = text.split(' ');
    return `{ metric: ${metric}, scope: ${scope}, limit: ${limit}, period: ${period} }`;
  });
  return `rateLimits: [${list.join(', ')}]`;
}

export function usage(...texts: string[]): string {
  const list = texts.map((text) => {
    const [metric, limit, period] = text.split(' ');
    return `{ metric: ${metric}, limit: ${limit}, period: ${period} }`;
  });
  return `usageLimits: [${list.join(', ')}]`;
}
