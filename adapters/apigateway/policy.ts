// Renders decisions of access control as API Gateway policies.
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { ERROR_CODES } from '../../core/contract/error-codes.ts';
import { type AuthorizerContext, renderContext } from './authorizer-context.ts';

/** Codes that reach the caller through the ACCESS_DENIED gateway response, as `$context.authorizer.denyCode` and `denyText`. */
type DenyCode = 'referer_not_allowed' | 'ip_not_allowed' | 'access_closed';

/** An Allow for the whole stage: sound because results are never cached (TTL 0), so a policy serves one request only. */
export function allowPolicy(
  methodArn: string,
  authorizerContext: AuthorizerContext,
): APIGatewayAuthorizerResult {
  return policy('Allow', methodArn, renderContext(authorizerContext));
}

/** A Deny, with a code and a text from a constant set: the gateway response inserts them without escaping. */
export function denyPolicy(methodArn: string, code: DenyCode): APIGatewayAuthorizerResult {
  return policy('Deny', methodArn, { denyCode: code, denyText: ERROR_CODES[code].text });
}

function policy(
  effect: 'Allow' | 'Deny',
  methodArn: string,
  context: APIGatewayAuthorizerResult['context'],
): APIGatewayAuthorizerResult {
  return {
    principalId: 'caller',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: stageResource(methodArn) }],
    },
    context,
  };
}

/** `arn:…:API/STAGE/METHOD/PATH` → `arn:…:API/STAGE/*`: the path holds what the caller wrote and stays out of the policy. */
function stageResource(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}
