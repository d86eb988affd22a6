// Responses that API Gateway gives without a function: to preflight requests, and 404 for unknown routes.
import {
  AuthorizationType,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { CORS } from '../../../core/contract/headers.ts';
import { ROUTES_BELOW_BASE } from '../../../core/contract/routes.ts';
import { renderError } from '../../../core/surfaces/native/errors.ts';
import { renderOpenaiError } from '../../../core/surfaces/openai/errors.ts';
import { acknowledge } from '../../checks/acknowledge.ts';
import { CORS_HEADERS, EXECUTION_ID, literal, responseHeaders } from './response-headers.ts';

interface MockAnswer {
  readonly status: number;
  /** In API Gateway's notation. */
  readonly headers: Readonly<Record<string, string>>;
  /** A VTL template. */
  readonly body: string | undefined;
}

/** Answers 404 `route_not_found` on every method that the resource does not have; `unknown_url` where OpenAI's clients look for routes. */
export function addNotFound(resource: IResource): void {
  const executionId = `$${EXECUTION_ID}`;
  // Clients of the Model Context Protocol ask by GET for a stream of the server's own, and take 405 for an answer.
  if (resource.path.endsWith('/mcp')) {
    const { headers } = renderError('route_not_found', { executionId });
    const allow = { ...responseHeaders(headers), Allow: literal('POST, OPTIONS') };
    addMock(resource, 'ANY', { status: 405, headers: allow, body: undefined });
    return;
  }
  const { status, headers, body } = resource.path.startsWith('/v1')
    ? renderOpenaiError('route_not_found', { executionId, text: explainBaseUrl() })
    : renderError('route_not_found', { executionId });
  addMock(resource, 'ANY', { status, headers: responseHeaders(headers), body });
}

/** Both base URLs have the same routes: which of them a client means by `/v1/a/b` is not known. */
function explainBaseUrl(): string {
  const list = `${ROUTES_BELOW_BASE.slice(0, -1).join(', ')} and ${ROUTES_BELOW_BASE.at(-1)}`;
  const bases = 'The base URLs /v1/{organization} and /v1/{organization}/{neuron}';
  return `Unknown URL. ${bases} have ${list}; use Chat Completions: POST chat/completions.`;
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
