// The scopes of the response cache: digests over all that decides who may share an answer. A missing part would be a leak.

import type { Conversation } from '../conversation/conversation.ts';
import type { CacheScope, SemanticScope } from '../ports/response-cache.ts';
import { hasGuards } from '../settings/guards/has-guards.ts';
import type { UsableSettings } from '../settings/usable-settings.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { digestOfParts } from '../text/digest.ts';
import type { FlowTraits } from './flow-traits.ts';

/** The receivers of an answer: everyone whom the neuron admits, or one caller. */
export type Audience =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'username'; readonly username: string }
  | { readonly kind: 'key'; readonly keyId: string };

interface ScopeFacts {
  readonly settings: UsableSettings;
  /** The id of the version that runs. */
  readonly version: string;
  readonly traits: FlowTraits;
  readonly audience: Audience;
  /** Answers to other values are not even compared with those to these. */
  readonly variables?: Conversation['variables'];
}

/** Undefined for a neuron without a deployment, whose cached answers nothing would end. */
export function toCacheScope({
  settings,
  version,
  traits,
  audience,
  variables = [],
}: ScopeFacts): CacheScope | undefined {
  const { organizationId, neuronId, deployment, cacheGeneration, neuron } = settings;
  if (deployment === undefined) return undefined;
  return digestOfParts([
    'answers 1',
    organizationId,
    neuronId,
    String(deployment.number),
    String(cacheGeneration),
    version,
    canonicalJson(neuron.access),
    ...audienceParts(audience),
    ...guardParts(settings),
    ...(variables.length === 0 ? [] : ['variables 1', JSON.stringify(variables)]),
    ...traits.providers.flatMap((name) => [name, ...providerParts(settings, name)]),
  ]) as CacheScope;
}

/** The facts that divide a cache scope for semantic search. */
interface SemanticFacts {
  readonly settings: UsableSettings;
  readonly embedding: { readonly provider: string; readonly model: string };
  readonly dimensions: number;
  /** The outcomes of the flow's conditions on the input. */
  readonly outcomes: string;
  /** The digest of the features that two inputs must share to be compared. */
  readonly features: string;
}

/** The partition of a search. It excludes inputs that take other branches or differ in features that a vector does not show. */
export function toSemanticScope(scope: CacheScope, facts: SemanticFacts): SemanticScope {
  const { provider, model } = facts.embedding;
  return digestOfParts([
    'meanings 1',
    scope,
    provider,
    ...providerParts(facts.settings, provider),
    model,
    String(facts.dimensions),
    facts.outcomes,
    facts.features,
  ]) as SemanticScope;
}

/** The digest of an input, the only fact outside the scope that changes an output. `rawOutput` changes the answer, not the output. */
export function hashInput(input: string): string {
  return digestOfParts(['input 1', input]);
}

/**
 * The digest of a whole conversation, since every member may reach a model. The order of members counts too: models see the members of
 * a caller's schema in that order, and answer in it. The name of a provider's prompt cache changes no answer.
 */
export function hashConversation({ promptCacheKey: _hint, ...conversation }: Conversation): string {
  return digestOfParts(['conversation 1', JSON.stringify(conversation)]);
}

/** None for a neuron without guards. With another release of what they know, the number becomes another one. */
function guardParts(settings: UsableSettings): readonly string[] {
  const { organization, neuron } = settings;
  if (!hasGuards({ organization, neuron })) return [];
  const { guards = {}, mandatory = [] } = organization;
  // The models that judge are elsewhere with another address of their provider.
  const asked = Object.entries(guards).flatMap(([name, guard]) =>
    'provider' in guard ? [[name, ...providerParts(settings, guard.provider)]] : [],
  );
  return ['guards 3', canonicalJson([guards, mandatory, neuron.guards ?? [], asked])];
}

function audienceParts(audience: Audience): readonly [string, string] {
  if (audience.kind === 'username') return ['username', audience.username];
  return audience.kind === 'key' ? ['key', audience.keyId] : ['everyone', ''];
}

/** The location of a provider's models: the same number of parts for every provider, so that a list of them is unambiguous. */
function providerParts({ organization }: UsableSettings, name: string): readonly [string, string, string] {
  const { providers } = organization;
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined) return ['absent', '', ''];
  return [
    provider.type,
    'baseUrl' in provider ? provider.baseUrl : '',
    'region' in provider ? provider.region : '',
  ];
}
