// Judges an organization document beyond its schema: the addresses of its providers, its usage limits, and its size.

import { type AddressPolicy, refuseUrl } from '../../settings/address-policy.ts';
import { type Diagnostic, diagnosticAt } from '../diagnostic.ts';
import type { LimitDiagnostic } from './limit-finding.ts';
import { validateUsageLimits } from './limits.ts';
import { validateSize } from './size.ts';
import type { Diagnostics, ReadOrganization } from './validated.ts';

/** Every reason not to take the document, and what its author should know. */
export function validateOrganization(organization: ReadOrganization, policy: AddressPolicy): Diagnostics {
  const { source, document, parsed } = organization;
  const addresses = Object.entries(parsed.providers).flatMap(([name, provider]) => {
    const refusal = 'baseUrl' in provider ? refuseBaseUrl(provider.baseUrl, policy) : undefined;
    return refusal === undefined ? [] : [diagnosticAt(source, ['providers', name, 'baseUrl'], refusal)];
  });
  const toDiagnostic = ({ path, message }: LimitDiagnostic): Diagnostic =>
    diagnosticAt(source, path, message);
  const limits = validateUsageLimits(parsed);
  return {
    refusals: [...addresses, ...limits.refusals.map(toDiagnostic), ...validateSize(source, [], document)],
    warnings: limits.warnings.map(toDiagnostic),
  };
}

function refuseBaseUrl(baseUrl: string, policy: AddressPolicy): string | undefined {
  // Paths are appended to it.
  if (new URL(baseUrl).search !== '') return 'must not have a query (?…): paths are appended to the URL';
  return refuseUrl(baseUrl, policy);
}
