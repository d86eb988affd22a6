// Converts a REST API authorizer event into the neutral request that access control decides on.
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { AccessRequest } from '../../core/access/request.ts';
import { REQUEST_HEADERS } from '../../core/contract/headers.ts';
import { headerValues } from './header-values.ts';

/** Slugs come from the path parameters alone; a missing one is an empty slug, which names nothing. */
export function toAccessRequest(event: APIGatewayRequestAuthorizerEvent): AccessRequest {
  return {
    organization: event.pathParameters?.['organization'] ?? '',
    neuron: event.pathParameters?.['neuron'] ?? '',
    // The peer's address as API Gateway saw it. Forwarding headers are text of the caller's and are never read.
    sourceIp: event.requestContext.identity.sourceIp,
    referers: headerValues(event, REQUEST_HEADERS.referer),
    origins: headerValues(event, REQUEST_HEADERS.origin),
    authorizations: headerValues(event, REQUEST_HEADERS.authorization),
    timeMs: event.requestContext.requestTimeEpoch,
  };
}

/** The execution id: API Gateway's extended request id, which a caller cannot choose (unlike `requestId`). */
export function executionIdOf(requestContext: {
  readonly extendedRequestId?: string | undefined;
  readonly requestId: string;
}): string {
  return requestContext.extendedRequestId ?? requestContext.requestId;
}
