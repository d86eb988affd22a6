// The path of a request through the authorizer: settings and key, decision, log entry of a refusal, policy.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { executionIdOf, toAccessRequest } from '../../adapters/apigateway/authorizer-event.ts';
import { allowPolicy } from '../../adapters/apigateway/policy.ts';
import { startKeyLookup } from '../../core/access/credentials.ts';
import { type AccessPorts, decide } from '../../core/access/decide.ts';
import type { Decision } from '../../core/access/decision.ts';
import type { AccessRequest } from '../../core/access/request.ts';
import { routeOf } from '../../core/contract/routes.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import type { CachedSettings } from '../../core/settings/settings-cache.ts';
import { renderSettingsVersion, type UsableSettings } from '../../core/settings/usable-settings.ts';
import { readAccess } from './read-access.ts';
import { type RecordRejectionPorts, recordDueSummaries, recordRejection } from './record-refusal.ts';

/** The message that API Gateway answers with 401. */
export const UNAUTHORIZED = 'Unauthorized';

/** What authorizing needs. */
interface AuthorizePorts extends RecordRejectionPorts, AccessPorts {
  readonly settings: CachedSettings;
}

/** Rejects with `Unauthorized` for a 401, but on OpenAI's routes; every other decision is a policy. A store that fails is `unavailable` and never a refusal. */
export async function authorize(
  event: APIGatewayRequestAuthorizerEvent,
  ports: AuthorizePorts,
): Promise<APIGatewayAuthorizerResult> {
  const startedMs = ports.clock.monotonicMs();
  const request = toAccessRequest(event, ports.clock.now());
  // The key is on its way while the settings are read; a malformed one reads nothing.
  const keys = startKeyLookup(request.authorizations, ports.keys);
  const { access, settings } = await readAccess(ports.settings, request);
  const decision = await decide(access, request, { keys, jwt: ports.jwt });
  const executionId = executionIdOf(event.requestContext);
  if (decision.outcome === 'unavailable') {
    const incident = { kind: 'neuronAuthorizerFault', executionId, reason: decision.reason } as const;
    reportIncident(incident, ports.clock.now(), ports);
  }
  if (decision.outcome === 'refused' && settings !== undefined) {
    await recordRejection({ executionId, request, settings, decision, startedMs }, ports);
  } else await recordDueSummaries(request, ports);
  return toPolicy(event, request, decision, settings);
}

function toPolicy(
  { methodArn, resource }: APIGatewayRequestAuthorizerEvent,
  { organization, neuron }: AccessRequest,
  decision: Decision,
  settings: UsableSettings | undefined,
): APIGatewayAuthorizerResult {
  if (decision.outcome === 'refused') {
    // OpenAI's clients read no other error than theirs, and a gateway response has one form for all routes.
    const isAnswered = routeOf(resource)?.surface === 'openai';
    if (decision.code === 'unauthorized' && !isAnswered) throw unauthorized();
    return allowPolicy(methodArn, { outcome: 'denied', code: decision.code });
  }
  // The execution function answers for these, as for a denial: a gateway response has one status and one text per type.
  if (decision.outcome !== 'allow' || settings === undefined) {
    const outcome = decision.outcome === 'allow' ? 'not_found' : decision.outcome;
    return allowPolicy(methodArn, { outcome, reason: decision.reason });
  }
  const { authentication, organizationId, neuronId, keyId, keyLimits, username } = decision;
  return allowPolicy(methodArn, {
    outcome: 'allow',
    organization,
    neuron,
    organizationId,
    neuronId,
    authentication,
    keyId,
    keyLimits,
    username,
    settingsVersion: renderSettingsVersion(settings.version),
  });
}

/**
 * Lambda's runtime logs the stack of whatever a handler rejects with, so here for every caller without a credential: the
 * stack is one word. It must not be empty: runtimes before 4.0 replace the message of an error without a stack
 * (aws-lambda-nodejs-runtime-interface-client, `toRapidResponse`), and API Gateway would answer 500.
 */
function unauthorized(): Error {
  return Object.assign(new Error(UNAUTHORIZED), { stack: UNAUTHORIZED });
}
