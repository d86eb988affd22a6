// The authorizer function: decides who may call a neuron, and passes its decision to the execution function.
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { UNAUTHORIZED } from '../../adapters/apigateway/policy.ts';
import { reportIncident } from '../../core/logs/incident-line.ts';
import { AUTHORIZER_FIELDS, fromVariables } from '../environment.ts';
import { authorize } from './authorize.ts';
import { compose } from './compose.ts';

const ports = compose(fromVariables(AUTHORIZER_FIELDS, process.env));

/** API Gateway answers 401 exactly when this rejects with the message `Unauthorized`; Lambda counts that as an error, the metric of faults does not. */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  try {
    return await authorize(event, ports);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
    if (message !== UNAUTHORIZED) {
      const executionId = event.requestContext?.extendedRequestId ?? '';
      const incident = { kind: 'neuronAuthorizerFault', executionId, reason: name } as const;
      reportIncident(incident, ports.clock.now(), ports);
    }
    throw error;
  }
}
