// The event of a Lambda proxy integration.

import { mediaTypeOf } from '../gateway-responses/templates.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { PathParameters } from '../http/match.ts';
import type { ApiIdentity, ApiResource, RequestContext } from './request-context.ts';

/**
 * The event as JSON (API Gateway Developer Guide, "Input format of a Lambda function for proxy integration").
 * @param body the raw bytes: text is decoded as UTF-8, a binary media type becomes base64
 */
export function buildProxyEvent(
  api: ApiIdentity,
  request: ApiRequest,
  resource: ApiResource,
  pathParameters: PathParameters,
  requestContext: RequestContext,
  body: Buffer,
  binary: boolean,
): string {
  return JSON.stringify({
    resource: resource.resourcePath,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: request.queryStringParameters,
    multiValueQueryStringParameters: request.multiValueQueryStringParameters,
    pathParameters,
    stageVariables: api.stageVariables,
    requestContext,
    body: body.length === 0 ? null : body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: binary && body.length > 0,
  });
}

/**
 * Whether the first media type of a header is one of the API's binary ones: the same, `image/*` or the one for all types (API Gateway
 * Developer Guide, "Working with binary media types").
 */
export function isBinary(mediaTypes: ReadonlySet<string>, header: string | undefined): boolean {
  if (mediaTypes.size === 0) return false;
  const type = mediaTypeOf(header);
  return mediaTypes.has('*/*') || mediaTypes.has(type) || mediaTypes.has(`${type.split('/', 1)[0]}/*`);
}
