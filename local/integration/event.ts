// The event of a Lambda proxy integration.

import { StringDecoder } from 'node:string_decoder';
import { mediaTypeOf } from '../gateway-responses/templates.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { PathParameters } from '../http/match.ts';
import type { ApiIdentity, ApiResource, RequestContext } from './request-context.ts';

/**
 * The event as JSON (API Gateway Developer Guide, "Input format of a Lambda function for proxy integration").
 * @param body the raw bytes: text is decoded as UTF-8, a binary media type becomes base64
 * @returns the JSON in pieces of the body's size
 */
export function buildProxyEvent(
  api: ApiIdentity,
  request: ApiRequest,
  resource: ApiResource,
  pathParameters: PathParameters,
  requestContext: RequestContext,
  body: readonly Buffer[],
  binary: boolean,
): readonly string[] {
  const head = JSON.stringify({
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
  }).slice(0, -1);
  if (body.length === 0) return [`${head},"body":null,"isBase64Encoded":false}`];
  return [
    `${head},"body":"`,
    ...(binary ? [Buffer.concat(body).toString('base64')] : escapeText(body)),
    `","isBase64Encoded":${binary}}`,
  ];
}

/** The inside of a JSON string, piece by piece: V8 maps memory anew for each string and buffer that is as long as a large body. */
function escapeText(pieces: readonly Buffer[]): string[] {
  const decoder = new StringDecoder('utf8');
  const toInside = (text: string) => JSON.stringify(text).slice(1, -1);
  return [...pieces.map((piece) => toInside(decoder.write(piece))), toInside(decoder.end())];
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
