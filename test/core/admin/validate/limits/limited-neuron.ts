// Documents as text, and the diagnostics of their limits, each on a line.
import { parseYaml } from '../../../../../adapters/yaml/parse-yaml.ts';
import type { PartDiagnostic } from '../../../../../core/admin/diagnostic.ts';
import { validateRateLimits } from '../../../../../core/admin/validate/limits/limits.ts';
import { type Neuron, neuronSchema } from '../../../../../core/settings/neuron-schema.ts';
import { type Organization, organizationSchema } from '../../../../../core/settings/organization-schema.ts';
import { renderPath } from '../../../../../core/settings/path.ts';
import { splitDiagnostics } from '../../../../support/split-diagnostics.ts';

export const CLOSED = 'access: { apiKey: true }';

export function toNeuron(text: string): Neuron {
  const [document] = parseYaml('a.yaml', `neuron: acme/a\n${text}`).documents;
  return neuronSchema.parse(document?.value);
}

export function toOrganization(text: string): Organization {
  const [document] = parseYaml('a.yaml', `organization: acme\n${text}`).documents;
  return organizationSchema.parse(document?.value);
}

export function validate(neuronText: string, organizationText?: string) {
  const settings = organizationText === undefined ? undefined : toOrganization(organizationText);
  const { errors, warnings } = splitDiagnostics(
    validateRateLimits(toNeuron(neuronText), { organization: 'acme', settings }),
  );
  return { errors: errors.map(render), warnings: warnings.map(render) };
}

function render({ path, message }: PartDiagnostic): string {
  return `${renderPath(path)} ${message}`;
}

export const NOTHING = { errors: [], warnings: [] };

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
