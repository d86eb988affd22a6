// The authorizer function: judges access to one neuron and hands on what it found.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { AUTHORIZER_FIELDS, fromVariables } from '../environment.ts';
import { authorize } from './authorize.ts';
import { compose } from './compose.ts';

const ports = compose(fromVariables(AUTHORIZER_FIELDS, process.env));

/** API Gateway answers 401 exactly when this rejects with the message `Unauthorized`. */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  return authorize(event, ports);
}
