// Judges an organization document beyond its schema: the addresses of its providers, and its size.
import { type AddressPolicy, refuseUrl } from './address-policy.ts';
import { type Finding, findingAt } from './finding.ts';
import { judgeSize } from './judge-size.ts';
import type { ReadOrganization } from './judged.ts';

/** Every reason not to take the document. */
export function judgeOrganization(organization: ReadOrganization, policy: AddressPolicy): Finding[] {
  const { source, document, parsed } = organization;
  const addresses = Object.entries(parsed.providers).flatMap(([name, provider]) => {
    const refusal = 'baseUrl' in provider ? refuseBaseUrl(provider.baseUrl, policy) : undefined;
    return refusal === undefined ? [] : [findingAt(source, ['providers', name, 'baseUrl'], refusal)];
  });
  return [...addresses, ...judgeSize(source, [], document)];
}

function refuseBaseUrl(baseUrl: string, policy: AddressPolicy): string | undefined {
  // Paths are appended to it.
  if (new URL(baseUrl).search !== '') return 'must not have a query (?…): paths are appended to the URL';
  return refuseUrl(baseUrl, policy);
}
