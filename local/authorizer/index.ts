// Lambda authorizers of type REQUEST: invokes the function and evaluates its policy.

import type { Functions, InvokeResult } from '../functions/index.ts';
import type { GatewayError } from '../gateway-responses/index.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { PathParameters } from '../http/match.ts';
import type { ApiIdentity, ApiResource, RequestContext } from '../integration/request-context.ts';
import { isObject, parseObject } from '../json.ts';
import type { ResolvedResource } from '../template/types.ts';
import { asNumber, asText, requiredProperty, templateError } from '../template/values.ts';
import { evaluatePolicy, type Policy, readPolicy } from './policy.ts';

export interface TemplateAuthorizer {
  readonly functionArn: string;
}

interface AuthorizationRequest {
  readonly api: ApiIdentity;
  readonly request: ApiRequest;
  readonly resource: ApiResource;
  readonly pathParameters: PathParameters;
  readonly context: RequestContext;
  readonly methodArn: string;
}

interface AuthorizationResult {
  /** The request is denied, or the authorizer failed. */
  readonly error?: GatewayError;
  /** Becomes `requestContext.authorizer`, also if the request is denied. */
  readonly authorizer?: Readonly<Record<string, string | number>>;
}

// Assumed, as for integrations: no page states a limit.
const TIMEOUT_MS = 29_000;

/** The function's result is not a usable policy. */
const MALFORMED: GatewayError = { type: 'AUTHORIZER_CONFIGURATION_ERROR' };
/** The function failed, timed out or was throttled. The type is assumed: it is not documented. */
const FAILED: GatewayError = { type: 'AUTHORIZER_FAILURE' };

/**
 * Reads an authorizer.
 * @throws LocalFailure `TEMPLATE_NOT_SUPPORTED` for other types, and for one with a cache: a cache whose keys or expiry differ from
 *   AWS's would hide faults
 */
export function readAuthorizer(resource: ResolvedResource): TemplateAuthorizer {
  const { properties } = resource;
  const type = requiredProperty(resource, 'Type');
  if (type !== 'REQUEST') throw templateError(resource, `Type ${type} is not supported; only REQUEST is.`);
  // AWS caches for 300 seconds by default.
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

/** Invokes the authorizer. Never rejects. */
export async function invokeAuthorizer(
  functions: Functions,
  authorizer: TemplateAuthorizer,
  authorization: AuthorizationRequest,
): Promise<AuthorizationResult> {
  const started = performance.now();
  const result = await invokeInTime(functions, authorizer, buildAuthorizerEvent(authorization));
  if (result === undefined) return { error: FAILED };
  if (result.outcome === 'failed') {
    // AWS: exactly this message means 401.
    return { error: result.error.errorMessage === 'Unauthorized' ? { type: 'UNAUTHORIZED' } : FAILED };
  }
  if (result.outcome !== 'succeeded') {
    const missing = result.outcome === 'rejected' && result.errorType === 'ResourceNotFoundException';
    return { error: missing ? MALFORMED : FAILED };
  }
  const output = readAuthorizerResult(result.payload);
  if (output === undefined) return { error: MALFORMED };
  const integrationLatency = Math.round(performance.now() - started);
  const authorizerContext = { ...output.context, principalId: output.principalId, integrationLatency };
  const decision = evaluatePolicy(output.policy, authorization.methodArn);
  if (decision === 'allow') return { authorizer: authorizerContext };
  const message = 'User is not authorized to access this resource';
  return {
    authorizer: authorizerContext,
    error: {
      type: 'ACCESS_DENIED',
      message: decision === 'explicit deny' ? `${message} with an explicit deny` : message,
    },
  };
}

/** The event of a REQUEST authorizer (API Gateway Developer Guide, "Input to an API Gateway Lambda authorizer"). */
function buildAuthorizerEvent(authorization: AuthorizationRequest): object {
  const { api, request, resource, methodArn, pathParameters, context } = authorization;
  return {
    type: 'REQUEST',
    methodArn,
    resource: resource.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: request.queryStringParameters ?? {},
    multiValueQueryStringParameters: request.multiValueQueryStringParameters ?? {},
    pathParameters: pathParameters ?? {},
    stageVariables: api.stageVariables ?? {},
    requestContext: context,
  };
}

async function invokeInTime(
  functions: Functions,
  authorizer: TemplateAuthorizer,
  event: object,
): Promise<InvokeResult | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, TIMEOUT_MS, undefined);
  const result = await Promise.race([functions.invoke(authorizer.functionArn, event), promise]);
  clearTimeout(timer);
  return result;
}

interface AuthorizerResult {
  readonly principalId: string;
  readonly policy: Policy;
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Reads the JSON that the authorizer returned (API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer"). `context`
 * holds texts, numbers and booleans, which later stages get as texts.
 * @returns undefined for anything else
 */
export function readAuthorizerResult(json: Buffer): AuthorizerResult | undefined {
  const { principalId, policyDocument, context = {} } = parseObject(json.toString()) ?? {};
  const policy = readPolicy(policyDocument);
  const texts = readContext(context);
  if (typeof principalId !== 'string' || principalId === '' || policy === undefined) return undefined;
  return texts === undefined ? undefined : { principalId, policy, context: texts };
}

function readContext(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const texts: Record<string, string> = {};
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string' && typeof member !== 'number' && typeof member !== 'boolean')
      return undefined;
    texts[name] = String(member);
  }
  return texts;
}
