// The errors that API Gateway answers by itself, in the service's error shape: one gateway response per type.
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { ErrorCode } from '../../../core/contract/error-codes.ts';
import { renderError } from '../../../core/surfaces/native/errors.ts';
import { EXECUTION_ID, responseHeaders } from './response-headers.ts';

/**
 * Every type of gateway response and its error code, from which the status follows. All types are listed, so that the two
 * defaults apply only to types that AWS adds later.
 * Source: supported-gateway-response-types.html of the API Gateway developer guide.
 */
const GATEWAY_RESPONSES = {
  // The authorizer denies nothing by a policy: whatever else does, such as a policy of the API, closes the neuron to this caller.
  ACCESS_DENIED: 'access_closed',
  API_CONFIGURATION_ERROR: 'internal',
  // The authorizer failed or its result is unusable: the request is refused.
  AUTHORIZER_CONFIGURATION_ERROR: 'overloaded',
  AUTHORIZER_FAILURE: 'overloaded',
  BAD_REQUEST_BODY: 'malformed_body',
  BAD_REQUEST_PARAMETERS: 'invalid_parameter',
  DEFAULT_4XX: 'malformed_body',
  DEFAULT_5XX: 'internal',
  // With `Authorization: AWS…` on an unknown path API Gateway verifies a signature before it looks for the route.
  EXPIRED_TOKEN: 'route_not_found',
  INTEGRATION_FAILURE: 'overloaded',
  INTEGRATION_TIMEOUT: 'deadline_exceeded',
  INVALID_API_KEY: 'unauthorized',
  INVALID_SIGNATURE: 'route_not_found',
  MISSING_AUTHENTICATION_TOKEN: 'route_not_found',
  QUOTA_EXCEEDED: 'throttled',
  REQUEST_TOO_LARGE: 'input_too_large',
  RESOURCE_NOT_FOUND: 'route_not_found',
  THROTTLED: 'throttled',
  UNAUTHORIZED: 'unauthorized',
  // Only a MOCK method reads the Content-Type, and those answer unknown routes.
  UNSUPPORTED_MEDIA_TYPE: 'route_not_found',
  WAF_FILTERED: 'ip_not_allowed',
} as const satisfies Record<string, ErrorCode>;

export class GatewayResponses extends Construct {
  constructor(scope: Construct, id: string, restApi: RestApi) {
    super(scope, id);
    for (const [type, code] of Object.entries(GATEWAY_RESPONSES)) {
      const answer = renderError(code, { executionId: `$${EXECUTION_ID}` });
      restApi.addGatewayResponse(type, {
        type: ResponseType.of(type),
        statusCode: String(answer.status),
        responseHeaders: responseHeaders(answer.headers),
        templates: { 'application/json': answer.body },
      });
    }
  }
}
