// Responses that API Gateway gives without a function: to preflight requests, and 404 for unknown routes.
import {
  AuthorizationType,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { CORS } from '../../../core/contract/headers.ts';
import { renderError } from '../../../core/surfaces/native/errors.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import { CORS_HEADERS, EXECUTION_ID, literal, responseHeaders } from './response-headers.ts';

interface MockAnswer {
  readonly status: number;
  /** In API Gateway's notation. */
  readonly headers: Readonly<Record<string, string>>;
  /** A VTL template. */
  readonly body: string | undefined;
}

/** Answers 404 `route_not_found` on every method that the resource does not have. */
export function addNotFound(resource: IResource): void {
  const { status, headers, body } = renderError('route_not_found', { executionId: `$${EXECUTION_ID}` });
  addMock(resource, 'ANY', { status, headers: responseHeaders(headers), body });
}

/** Answers a browser's preflight (Fetch standard, CORS-preflight fetch) without authentication. */
export function addPreflight(resource: IResource, method: string): void {
  addMock(resource, 'OPTIONS', {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': CORS_HEADERS['Access-Control-Allow-Origin'],
      'Access-Control-Allow-Methods': literal([method, 'OPTIONS'].join(',')),
      'Access-Control-Allow-Headers': literal(CORS.allowHeaders.join(',')),
      'Access-Control-Max-Age': literal(String(CORS.maxAgeSeconds)),
    },
    body: undefined,
  });
}

function addMock(resource: IResource, httpMethod: string, { status, headers, body }: MockAnswer): void {
  const statusCode = String(status);
  const named = Object.entries(headers).map(
    ([name, value]) => [`method.response.header.${name}`, value] as const,
  );
  const integration = new MockIntegration({
    // A body that is not JSON gets the same 404, from the gateway response UNSUPPORTED_MEDIA_TYPE.
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': JSON.stringify({ statusCode: status }) },
    integrationResponses: [
      {
        statusCode,
        responseParameters: Object.fromEntries(named),
        ...(body === undefined ? {} : { responseTemplates: { 'application/json': body } }),
      },
    ],
  });
  const method = resource.addMethod(httpMethod, integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [
      { statusCode, responseParameters: Object.fromEntries(named.map(([name]) => [name, true])) },
    ],
  });
  for (const rule of ['APIG4', 'COG4']) {
    acknowledge(
      method,
      `AwsSolutions::AwsSolutions-${rule}`,
      'A constant response that reaches no function and no data.',
    );
  }
}
