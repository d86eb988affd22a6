// The hosts that providers of a stage may have: an allow-list, checked by validation and again at each connection.
import { isHost } from './host-name.ts';
import { parseIpv4 } from './ip-address.ts';

/** Hosts such as `api.openai.com`, and `*.openai.azure.com` for all hosts below `openai.azure.com`; never empty. */
export type ProviderHosts = readonly string[];

const WILDCARD = '*.';

/**
 * True for a host in lower case and ASCII, without port and dot at the end, or `*.` before a domain of two labels or more. IPv4 addresses
 * are exact, IPv6 ones cannot be listed.
 */
export function isHostPattern(text: string): boolean {
  if (!text.startsWith(WILDCARD)) return isHost(text);
  const domain = text.slice(WILDCARD.length);
  return isHost(domain) && domain.includes('.') && parseIpv4(domain) === undefined;
}

/** Whether a URL's `hostname` is listed; a dot at its end does not count. `*.` stands for one label or more, so not for the domain itself. */
function isListed(hosts: ProviderHosts, hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (!isHost(host)) return false;
  return hosts.some((one) =>
    one.startsWith(WILDCARD) ? host.endsWith(one.slice(1)) && parseIpv4(host) === undefined : host === one,
  );
}

/** The error of a host that is not listed, as the end of a sentence about it. Undefined when it is listed, or when there is no list. */
export function rejectProviderHost(hosts: ProviderHosts | undefined, hostname: string): string | undefined {
  if (hosts === undefined || isListed(hosts, hostname)) return undefined;
  return `is on ${hostname}, which the stage setting providerHosts does not list (${hosts.join(', ')}). Name a listed host, or add it there and deploy`;
}

/** Endpoint of Amazon Bedrock Runtime in a region (AWS General Reference, Amazon Bedrock endpoints and quotas). */
export function toBedrockHost(region: string): string {
  return `bedrock-runtime.${region}.amazonaws.com`;
}
