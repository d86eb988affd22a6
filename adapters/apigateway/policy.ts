// Renders the decision on access as the policy of a REST API authorizer, with the context that the execution function reads.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Decision } from '../../core/access/decision.ts';
import type { AccessRequest } from '../../core/access/request.ts';
import { routeOf } from '../../core/contract/routes.ts';
import type { KeyGrants, StoredKey } from '../../core/ports/keys.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import { type AuthorizerContext, renderContext, toAllowed } from './authorizer-context.ts';

/** The message that API Gateway answers with 401. */
export const UNAUTHORIZED = 'Unauthorized';

/** The policy of a decision. Throws `Unauthorized` for a 401, but on routes whose clients read no other form than theirs. */
export function toPolicy(
  { methodArn, resource }: APIGatewayRequestAuthorizerEvent,
  address: AccessRequest,
  decision: Decision,
  settings: UsableSettings | undefined,
): APIGatewayAuthorizerResult {
  if (decision.outcome === 'refused') {
    // A gateway response has one form for all routes, which is that of the service itself.
    const isAnswered = (routeOf(resource)?.surface ?? 'native') !== 'native';
    if (decision.code === 'unauthorized' && !isAnswered) throw unauthorized();
    return allowPolicy(methodArn, { outcome: 'denied', code: decision.code });
  }
  // The execution function answers for these, as for a denial: a gateway response has one status and one text per type.
  if (decision.outcome !== 'allow' || settings === undefined) {
    const outcome = decision.outcome === 'allow' ? 'not_found' : decision.outcome;
    return allowPolicy(methodArn, { outcome, reason: decision.reason });
  }
  return allowPolicy(methodArn, toAllowed(address, decision, settings.version));
}

/** The outcome of looking for a live key of the organization. */
type KeyProof =
  | {
      readonly outcome: 'proven';
      readonly organizationId: string;
      readonly key: StoredKey;
      readonly keyGrants: KeyGrants | undefined;
    }
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'unavailable'; readonly reason: string };

/** The policy of a proof. It admits to no neuron: the execution function decides on the one that the body names. */
export function toKeyPolicy(
  { methodArn }: Pick<APIGatewayRequestAuthorizerEvent, 'methodArn'>,
  { organization }: AccessRequest,
  proof: KeyProof,
): APIGatewayAuthorizerResult {
  if (proof.outcome === 'invalid') return allowPolicy(methodArn, { outcome: 'denied', code: 'unauthorized' });
  if (proof.outcome === 'unavailable') {
    return allowPolicy(methodArn, { outcome: 'unavailable', reason: proof.reason });
  }
  const { organizationId, key, keyGrants } = proof;
  const { keyId, usageLimits: keyLimits, neurons: neuronIds, neuronPatterns } = key;
  return allowPolicy(methodArn, {
    outcome: 'key',
    organization,
    organizationId,
    keyId,
    keyLimits,
    keyGrants,
    neuronIds,
    neuronPatterns,
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

/**
 * An Allow for the whole stage: sound because results are never cached (TTL 0), so a policy serves one request only.
 * There is no Deny: API Gateway would answer it, and its answer cannot be relied on to name the code of the denial.
 */
export function allowPolicy(
  methodArn: string,
  authorizerContext: AuthorizerContext,
): APIGatewayAuthorizerResult {
  return {
    principalId: 'caller',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: stageResource(methodArn) }],
    },
    context: renderContext(authorizerContext),
  };
}

/** `arn:…:API/STAGE/METHOD/PATH` → `arn:…:API/STAGE/*`: the path holds what the caller wrote and stays out of the policy. */
function stageResource(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}
