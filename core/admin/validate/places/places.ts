// Validates where providers and guards are: hosts that may be called, and what a stage allows on Bedrock.
import { rejectUrl } from '../../../settings/address-policy.ts';
import type { Guard } from '../../../settings/guards/guards-schema.ts';
import type { Organization, Provider } from '../../../settings/organization-schema.ts';
import { type ProviderHosts, rejectProviderHost, toBedrockHost } from '../../../settings/provider-hosts.ts';
import { errorAt, type PartDiagnostic } from '../../diagnostic.ts';
import type { StageBounds } from '../references.ts';
import { validateBedrockGuards } from './bedrock.ts';

export interface PlaceContext {
  /** Host of the stage's own API, with its port where it has one; undefined where it is unknown. */
  readonly ownHost?: string | undefined;
  /** The stage's list of hosts; undefined where it has none or the stage is unknown. */
  readonly providerHosts?: ProviderHosts | undefined;
}

type UrlContext = PlaceContext & Pick<StageBounds, 'addresses'>;

/** Paths begin at the root of the organization's document. */
export function validatePlaces(
  organization: Organization,
  context: UrlContext & Pick<StageBounds, 'bedrock'>,
): PartDiagnostic[] {
  const { providers, guards = {} } = organization;
  const ofProviders = Object.entries(providers).flatMap(([name, provider]) => {
    const [place, message] = findAddressError(provider, context);
    return message === undefined ? [] : [errorAt(['providers', name, place], message)];
  });
  const ofGuards = Object.entries(guards).flatMap(([name, guard]) => {
    const [place, message] = findGuardHostError(guard, context);
    return message === undefined ? [] : [errorAt(['guards', name, place], message)];
  });
  return [...ofProviders, ...ofGuards, ...validateBedrockGuards(organization, context.bedrock)];
}

/** The member that says where a provider is, and its error. */
function findAddressError(provider: Provider, context: UrlContext): [string, string | undefined] {
  if ('baseUrl' in provider) return ['baseUrl', findUrlError(provider.baseUrl, context)];
  if (provider.type !== 'bedrock') return ['type', undefined];
  return ['region', rejectProviderHost(context.providerHosts, toBedrockHost(provider.region))];
}

/** As `findAddressError`, of a guard. The region of the stage, which one may leave out, is not known here. */
function findGuardHostError(guard: Guard, context: UrlContext): [string, string | undefined] {
  if ('endpoint' in guard) return ['endpoint', findHostError(guard.endpoint, context)];
  const region = 'region' in guard ? guard.region : undefined;
  const message =
    region === undefined ? undefined : rejectProviderHost(context.providerHosts, toBedrockHost(region));
  return ['region', message];
}

function findUrlError(baseUrl: string, context: UrlContext): string | undefined {
  // Paths are appended to it.
  if (new URL(baseUrl).search !== '')
    return 'must not have a query (?…): paths are appended to the URL. Write `query: { NAME: VALUE }` beside it';
  return findHostError(baseUrl, context);
}

function findHostError(url: string, { addresses, ownHost, providerHosts }: UrlContext): string | undefined {
  // Only the deadline and limits would end the loop, and Lambda's detection of loops does not see HTTP.
  if (ownHost !== undefined && new URL(url).host.replace(/\.$/, '') === ownHost)
    return `must not be this service's own address (${ownHost}): each call would make another one. Name the provider itself`;
  return rejectUrl(url, addresses) ?? rejectProviderHost(providerHosts, new URL(url).hostname);
}
