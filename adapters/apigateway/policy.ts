// Renders decisions of access control as API Gateway policies.
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { type AuthorizerContext, renderContext } from './authorizer-context.ts';

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
