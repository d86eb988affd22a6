// The `requestContext` of events and the `$context` of templates.

import type { Variables } from '../gateway-responses/substitution.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { PathParameters } from '../http/match.ts';

export interface ApiIdentity {
  readonly accountId: string;
  readonly apiId: string;
  readonly deploymentId: string;
  readonly stage: string;
  /** Null without any. */
  readonly stageVariables: Readonly<Record<string, string>> | null;
}

export interface ApiResource {
  readonly resourceId: string;
  /** For example `/{shop}/{order}`. */
  readonly resourcePath: string;
}

export interface RequestContext {
  readonly path: string;
  /** Set by the authorizer. */
  authorizer?: Readonly<Record<string, string | number>>;
  readonly [name: string]: unknown;
}

/**
 * Builds the request context (recorded events of REST APIs; API Gateway Developer Guide, "Input format of a Lambda function for proxy
 * integration" and "$context Variables"). `path` has the stage, and the slashes as they were sent.
 */
export function buildRequestContext(
  api: ApiIdentity,
  request: ApiRequest,
  resource: ApiResource | undefined,
): RequestContext {
  const domainName = domainNameOf(request.host);
  return {
    resourceId: resource?.resourceId,
    resourcePath: resource?.resourcePath,
    httpMethod: request.httpMethod,
    extendedRequestId: request.extendedRequestId,
    requestTime: toCommonLogTime(request.time),
    path: `/${api.stage}${request.rawPath}`,
    accountId: api.accountId,
    protocol: 'HTTP/1.1',
    stage: api.stage,
    domainPrefix: domainName.split('.', 1)[0],
    requestTimeEpoch: request.time,
    requestId: request.requestId,
    identity: {
      cognitoIdentityPoolId: null,
      accountId: null,
      cognitoIdentityId: null,
      caller: null,
      sourceIp: request.sourceIp,
      principalOrgId: null,
      accessKey: null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: null,
      userAgent: request.userAgent,
      user: null,
    },
    domainName,
    deploymentId: api.deploymentId,
    apiId: api.apiId,
  };
}

/** The variables of gateway responses and of mapped responses. */
export function toContextVariables(
  api: ApiIdentity,
  request: ApiRequest,
  context: RequestContext,
  pathParameters: PathParameters,
): Variables {
  return {
    context: (path) => textAt(context, path),
    stageVariable: (name) => api.stageVariables?.[name],
    requestParameter: (place, name) => {
      if (place === 'path') return pathParameters?.[name];
      // AWS, "Important notes": "Header names and query parameters are processed in a case-sensitive way."
      return place === 'header' ? request.headers[name] : request.queryStringParameters?.[name];
    },
  };
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** For example `10/Oct/2000:13:55:36 +0000` (Common Log Format), always in UTC. */
function toCommonLogTime(time: number): string {
  const date = new Date(time).toISOString();
  return `${date.slice(8, 10)}/${MONTHS[Number(date.slice(5, 7)) - 1]}/${date.slice(0, 4)}:${date.slice(11, 19)} +0000`;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** API Gateway has names of its own, and none that a caller makes up: on this machine those of this machine. */
function domainNameOf(host: string): string {
  return LOOPBACK.test(host) ? host : 'localhost';
}
