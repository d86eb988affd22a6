// The path of a request through the authorizer: settings and key, decision, log entry of a denial, policy.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import {
  executionIdOf,
  isOrganizationCall,
  toAccessRequest,
} from '../../adapters/apigateway/access-event.ts';
import { toKeyPolicy, toPolicy } from '../../adapters/apigateway/policy.ts';
import {
  authenticate,
  type CredentialPorts,
  startKeyLookup,
  toAccessFacts,
} from '../../core/access/credentials.ts';
import { decide } from '../../core/access/decide.ts';
import type { AccessFacts, AccessRequest } from '../../core/access/request.ts';
import type { AccessSettings } from '../../core/access/settings.ts';
import { isSlug } from '../../core/contract/slugs.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import type { KeyGrants, KeyStore, StoredKey } from '../../core/ports/keys.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { AuthorizerPorts } from './compose.ts';
import { recordDueSummaries, recordRejection } from './record-rejection.ts';

/** Rejects with `Unauthorized` for a 401, but on OpenAI's routes; every other decision is a policy. A store that fails is `unavailable`, never a denial. */
export async function authorize(
  event: APIGatewayRequestAuthorizerEvent,
  ports: AuthorizerPorts,
): Promise<APIGatewayAuthorizerResult> {
  const startedMs = ports.clock.monotonicMs();
  const executionId = executionIdOf(event.requestContext);
  const request = toAccessRequest(event, ports.clock.now());
  const isOfOrganization = isOrganizationCall(event);
  const facts = toAccessFacts(request);
  if (isOfOrganization) return authorizeKey(event, { executionId, request, facts }, ports);
  // The key is on its way while the settings are read; a malformed one reads nothing.
  const keys = startKeyLookup(facts, ports.keys);
  const { access, settings } = await readAccess(request, ports);
  const decision = await decide(access, facts, { keys, jwt: ports.jwt });
  if (decision.outcome === 'unavailable') reportFault(executionId, decision.reason, ports);
  if (decision.outcome === 'refused' && settings !== undefined) {
    await recordRejection({ executionId, request, settings, decision, startedMs }, ports);
  } else await recordDueSummaries(request, ports);
  return toPolicy(event, request, decision, settings);
}

interface KeyCall {
  readonly executionId: string;
  readonly request: AccessRequest;
  readonly facts: AccessFacts;
}

/** On an organization's URL a live key of it is all that is proven here. A denial names no neuron, so it has no entry. */
async function authorizeKey(
  event: APIGatewayRequestAuthorizerEvent,
  { executionId, request, facts }: KeyCall,
  ports: AuthorizerPorts,
): Promise<APIGatewayAuthorizerResult> {
  const { organization } = request;
  const proof = await proveKey(facts, {
    keys: ports.keys,
    // Before the store is asked: other text could spell the key of another item.
    findOrganizationId: async () =>
      isSlug(organization) ? ports.organizations.readId(organization) : undefined,
  });
  if (proof.outcome === 'unavailable') reportFault(executionId, proof.reason, ports);
  await recordDueSummaries(request, ports);
  return toKeyPolicy(event, request, proof);
}

function reportFault(
  executionId: string,
  reason: string,
  ports: Pick<AuthorizerPorts, 'stage' | 'clock' | 'lines'>,
): void {
  reportIncident({ kind: 'neuronAuthorizerFault', executionId, reason }, ports.clock.now(), ports);
}

interface NeuronAccess {
  readonly access: AccessSettings;
  /** Undefined where they cannot be used, or not be read. */
  readonly settings: UsableSettings | undefined;
}

/** Reads the settings of the neuron that a path names. Never throws: a store that fails is `unavailable`. */
export async function readAccess(
  { organization, neuron }: AccessRequest,
  { settings: cached }: Pick<AuthorizerPorts, 'settings'>,
): Promise<NeuronAccess> {
  // Before the store is asked: other text could spell the key of another item.
  if (!isSlug(organization) || !isSlug(neuron)) return notFound('the path holds no slugs');
  try {
    const { verdict } = await cached.read(organization, neuron);
    if (!verdict.usable) return notFound(verdict.reason);
    const { settings } = verdict;
    const { organizationId, neuronId } = settings;
    const { access, rateLimits } = settings.neuron;
    const conditions = rateLimits.flatMap(({ when }) => when ?? []);
    const usable = { outcome: 'usable', organizationId, neuronId, slug: neuron, access, conditions } as const;
    return { access: usable, settings };
  } catch (cause) {
    const access = { outcome: 'unavailable', reason: 'the settings could not be read', cause } as const;
    return { access, settings: undefined };
  }
}

function notFound(reason: string): NeuronAccess {
  return { access: { outcome: 'not_found', reason }, settings: undefined };
}

/** Every caller without a live key gets the same 401, also where there is no such organization. */
type KeyProof =
  /** It says nothing yet about any neuron. */
  | {
      readonly outcome: 'proven';
      readonly organizationId: string;
      readonly key: StoredKey;
      readonly keyGrants: KeyGrants | undefined;
    }
  | { readonly outcome: 'invalid'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

interface ProofPorts {
  readonly keys: KeyStore;
  /** The id of the organization that the path names; undefined where there is none. */
  readonly findOrganizationId: () => Promise<string | undefined>;
}

/** Nothing but a key is verified here. */
const NO_TOKENS = {} as CredentialPorts['jwt'];

/** Reads nothing for a caller without a well-formed key, and the organization beside the key for any other. Never throws. */
export async function proveKey(
  facts: AccessFacts,
  { keys, findOrganizationId }: ProofPorts,
): Promise<KeyProof> {
  const { credential } = facts;
  if (credential.kind === 'none') return invalid(credential.reason);
  if (credential.kind !== 'apiKey') return invalid('the URL of an organization takes API keys only');
  if (credential.digest === undefined) return invalid('the API key is malformed');
  let key: StoredKey | undefined;
  let organizationId: string | undefined;
  try {
    [key, organizationId] = await Promise.all([keys.read(credential.digest), findOrganizationId()]);
  } catch (cause) {
    return { outcome: 'unavailable', reason: 'the API key or its organization could not be read', cause };
  }
  if (key === undefined) return invalid('the API key is unknown');
  if (organizationId === undefined) return invalid('the organization is unknown');
  return checkLife(key, organizationId, facts);
}

/** By the same checks as on a neuron's own URL: that of a neuron which the key is for. */
async function checkLife(key: StoredKey, organizationId: string, facts: AccessFacts): Promise<KeyProof> {
  const neuronId = key.neurons?.[0] ?? '';
  const slug = key.neuronPatterns?.[0] ?? '';
  const ids = { organizationId, neuronId, slug };
  const neuron = { outcome: 'usable', ...ids, access: { apiKey: true }, conditions: [] } as const;
  const { result } = await authenticate(neuron, facts, { keys: { read: async () => key }, jwt: NO_TOKENS });
  if (result.outcome !== 'valid' || result.authentication !== 'apiKey') return invalid(result.reason);
  return { outcome: 'proven', organizationId, key, keyGrants: result.keyGrants };
}

function invalid(reason: string): KeyProof {
  return { outcome: 'invalid', reason };
}
