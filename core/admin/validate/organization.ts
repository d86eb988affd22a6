// Validates an organization document beyond its schema: the addresses of its providers, its usage limits, and its size.

import { type AddressPolicy, rejectUrl } from '../../settings/address-policy.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';
import { validateUsageLimits } from './limits/limits.ts';
import type { ReadOrganization } from './read-documents.ts';
import { validateSize } from './size.ts';

/** Every error and warning; paths begin at the root of the document. */
export function validateOrganization(
  { document, parsed }: ReadOrganization,
  policy: AddressPolicy,
): PartDiagnostic[] {
  const addresses = Object.entries(parsed.providers).flatMap(([name, provider]) => {
    const message = 'baseUrl' in provider ? findUrlError(provider.baseUrl, policy) : undefined;
    return message === undefined ? [] : [errorAt(['providers', name, 'baseUrl'], message)];
  });
  return [...addresses, ...validateUsageLimits(parsed), ...validateSize([], document)];
}

function findUrlError(baseUrl: string, policy: AddressPolicy): string | undefined {
  // Paths are appended to it.
  if (new URL(baseUrl).search !== '') return 'must not have a query (?…): paths are appended to the URL';
  return rejectUrl(baseUrl, policy);
}
