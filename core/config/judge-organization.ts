// Judges an organization document beyond its schema: the addresses of its providers, its usage limits, and its size.
import type { LimitFinding } from '../limits/finding.ts';
import { judgeUsageLimits } from '../limits/judge.ts';
import { type AddressPolicy, refuseUrl } from './address-policy.ts';
import { type Finding, findingAt } from './finding.ts';
import { judgeSize } from './judge-size.ts';
import type { Findings, ReadOrganization } from './judged.ts';

/** Every reason not to take the document, and what its author should know. */
export function judgeOrganization(organization: ReadOrganization, policy: AddressPolicy): Findings {
  const { source, document, parsed } = organization;
  const addresses = Object.entries(parsed.providers).flatMap(([name, provider]) => {
    const refusal = 'baseUrl' in provider ? refuseBaseUrl(provider.baseUrl, policy) : undefined;
    return refusal === undefined ? [] : [findingAt(source, ['providers', name, 'baseUrl'], refusal)];
  });
  const toFinding = ({ path, message }: LimitFinding): Finding => findingAt(source, path, message);
  const limits = judgeUsageLimits(parsed);
  return {
    refusals: [...addresses, ...limits.refusals.map(toFinding), ...judgeSize(source, [], document)],
    warnings: limits.warnings.map(toFinding),
  };
}

function refuseBaseUrl(baseUrl: string, policy: AddressPolicy): string | undefined {
  // Paths are appended to it.
  if (new URL(baseUrl).search !== '') return 'must not have a query (?…): paths are appended to the URL';
  return refuseUrl(baseUrl, policy);
}
