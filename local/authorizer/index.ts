// Lambda authorizers of type REQUEST: invokes the function and evaluates its policy for the request.

import type { Functions, InvokeResult } from '../functions/index.ts';
import type { GatewayError } from '../gateway-responses/index.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { PathParameters } from '../http/match.ts';
import type { ApiIdentity, ApiResource, RequestContext } from '../integration/request-context.ts';
import type { ResolvedResource } from '../template/types.ts';
import { asNumber, asText, requiredProperty, templateError } from '../template/values.ts';
import { evaluatePolicy } from './policy.ts';
import { readAuthorizerResult } from './result.ts';

/** An AWS::ApiGateway::Authorizer. */
export interface TemplateAuthorizer {
  readonly functionArn: string;
}

/** The request to authorize. */
interface AuthorizationRequest {
  readonly api: ApiIdentity;
  readonly request: ApiRequest;
  readonly resource: ApiResource;
  readonly pathParameters: PathParameters;
  readonly context: RequestContext;
  readonly methodArn: string;
}

/** `authorizer` becomes `requestContext.authorizer`, also on a refusal. */
interface Authorization {
  readonly refusal?: GatewayError;
  readonly authorizer?: Readonly<Record<string, string | number>>;
}

// No page states a limit for REST APIs; 29 s is the integrations' one. Assumed.
const LONGEST_WAIT_MS = 29_000;

/** The function's result is not a usable policy. */
const MALFORMED: GatewayError = { type: 'AUTHORIZER_CONFIGURATION_ERROR' };
/** The function failed, timed out or was throttled. Which of the two types AWS takes then is not documented: assumed. */
const FAILED: GatewayError = { type: 'AUTHORIZER_FAILURE' };

/**
 * Reads an authorizer.
 * @throws an error with code `TEMPLATE_NOT_SUPPORTED` for other types, and for one with a cache: a local cache
 *   that differs from AWS's in its keys or its expiry would hide faults
 */
export function readAuthorizer(resource: ResolvedResource): TemplateAuthorizer {
  const { properties } = resource;
  const type = requiredProperty(resource, 'Type');
  if (type !== 'REQUEST') throw templateError(resource, `Type ${type} is not supported; only REQUEST is.`);
  // AWS caches for 300 seconds when nothing else is said.
  const ttl = asNumber(properties['AuthorizerResultTtlInSeconds']) ?? 300;
  if (ttl !== 0) {
    throw templateError(resource, `AuthorizerResultTtlInSeconds is ${ttl}; only 0 (no cache) is supported.`);
  }
  if ((asText(properties['IdentitySource']) ?? '') !== '') {
    throw templateError(resource, 'IdentitySource is not supported; leave it out.');
  }
  const uri = requiredProperty(resource, 'AuthorizerUri');
  const functionArn = /:lambda:path\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(uri)?.[1];
  if (functionArn === undefined) throw templateError(resource, `AuthorizerUri ${uri} names no function.`);
  return { functionArn };
}

/** Invokes the authorizer; never rejects. */
export async function invokeAuthorizer(
  functions: Functions,
  authorizer: TemplateAuthorizer,
  asked: AuthorizationRequest,
): Promise<Authorization> {
  const started = performance.now();
  const result = await invokeInTime(functions, authorizer, buildAuthorizerEvent(asked));
  if (result === undefined) return { refusal: FAILED };
  if (result.outcome === 'failed') {
    // AWS: only this message, exactly, means 401.
    return { refusal: result.error.errorMessage === 'Unauthorized' ? { type: 'UNAUTHORIZED' } : FAILED };
  }
  if (result.outcome !== 'succeeded') {
    const missing = result.outcome === 'rejected' && result.errorType === 'ResourceNotFoundException';
    return { refusal: missing ? MALFORMED : FAILED };
  }
  const verdict = readAuthorizerResult(result.payload);
  if (verdict === undefined) return { refusal: MALFORMED };
  const integrationLatency = Math.round(performance.now() - started);
  const given = { ...verdict.context, principalId: verdict.principalId, integrationLatency };
  const decision = evaluatePolicy(verdict.policy, asked.methodArn);
  if (decision === 'allow') return { authorizer: given };
  const message = 'User is not authorized to access this resource';
  return {
    authorizer: given,
    refusal: {
      type: 'ACCESS_DENIED',
      message: decision === 'explicit deny' ? `${message} with an explicit deny` : message,
    },
  };
}

/** The event of a REQUEST authorizer (API Gateway Developer Guide, "Input to an API Gateway Lambda authorizer"). */
function buildAuthorizerEvent(asked: AuthorizationRequest): string {
  const { api, request, resource } = asked;
  return JSON.stringify({
    type: 'REQUEST',
    methodArn: asked.methodArn,
    resource: resource.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: request.queryStringParameters ?? {},
    multiValueQueryStringParameters: request.multiValueQueryStringParameters ?? {},
    pathParameters: asked.pathParameters ?? {},
    stageVariables: api.stageVariables ?? {},
    requestContext: asked.context,
  });
}

async function invokeInTime(
  functions: Functions,
  authorizer: TemplateAuthorizer,
  eventJson: string,
): Promise<InvokeResult | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, LONGEST_WAIT_MS, undefined);
  const result = await Promise.race([functions.invokeJson(authorizer.functionArn, eventJson), promise]);
  clearTimeout(timer);
  return result;
}
