// The path of a request through the authorizer: settings and key, decision, log entry of a denial, policy.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import {
  executionIdOf,
  isOrganizationCall,
  toAccessRequest,
  toKeyPolicy,
  toPolicy,
} from '../../adapters/apigateway/authorizer.ts';
import { startKeyLookup, toAccessFacts } from '../../core/access/credentials.ts';
import { decide } from '../../core/access/decide.ts';
import type { AccessFacts, AccessRequest } from '../../core/access/request.ts';
import type { AccessSettings } from '../../core/access/settings.ts';
import { isSlug } from '../../core/contract/slugs.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import type { AuthorizerPorts } from './compose.ts';
import { proveKey } from './prove-key.ts';
import { recordDueSummaries, recordRejection } from './record-rejection.ts';

/** Rejects with `Unauthorized` for a 401, but on OpenAI's routes; every other decision is a policy. A store that fails is `unavailable`, never a denial. */
export async function authorize(
  event: APIGatewayRequestAuthorizerEvent,
  ports: AuthorizerPorts,
): Promise<APIGatewayAuthorizerResult> {
  const startedMs = ports.clock.monotonicMs();
  const executionId = executionIdOf(event.requestContext);
  const request = toAccessRequest(event, ports.clock.now());
  const facts = toAccessFacts(request);
  if (isOrganizationCall(event)) return authorizeKey(event, request, facts, ports);
  // The key is on its way while the settings are read; a malformed one reads nothing.
  const keys = startKeyLookup(facts, ports.keys);
  const { access, settings } = await readAccess(request, ports);
  const decision = await decide(access, facts, { keys, jwt: ports.jwt });
  if (decision.outcome === 'unavailable') reportFault(event, decision.reason, ports);
  if (decision.outcome === 'refused' && settings !== undefined) {
    await recordRejection({ executionId, request, settings, decision, startedMs }, ports);
  } else await recordDueSummaries(request, ports);
  return toPolicy(event, request, decision, settings);
}

/** On an organization's URL a live key of it is all that is proven here. A denial names no neuron, so it has no entry. */
async function authorizeKey(
  event: APIGatewayRequestAuthorizerEvent,
  request: AccessRequest,
  facts: AccessFacts,
  ports: AuthorizerPorts,
): Promise<APIGatewayAuthorizerResult> {
  const { organization } = request;
  const proof = await proveKey(facts, {
    keys: ports.keys,
    // Before the store is asked: other text could spell the key of another item.
    findOrganizationId: async () =>
      isSlug(organization) ? ports.organizations.readId(organization) : undefined,
  });
  if (proof.outcome === 'unavailable') reportFault(event, proof.reason, ports);
  await recordDueSummaries(request, ports);
  return toKeyPolicy(event, request, proof);
}

function reportFault(
  event: APIGatewayRequestAuthorizerEvent,
  reason: string,
  ports: Pick<AuthorizerPorts, 'stage' | 'clock' | 'lines'>,
): void {
  const executionId = executionIdOf(event.requestContext);
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
