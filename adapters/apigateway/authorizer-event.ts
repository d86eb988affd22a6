// Converts a REST API authorizer event into the neutral request that access control decides on.
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { AccessRequest } from '../../core/access/request.ts';
import { REQUEST_HEADERS } from '../../core/contract/headers.ts';
import { headerValues } from './header-values.ts';

/** Earlier times (before September 2001) are ignored: seconds in place of milliseconds would make expired tokens valid. */
const MIN_TIME_MS = 1e12;

/**
 * Slugs come from the path parameters alone; a missing one is an empty slug, which names nothing. `nowMs` is the clock's
 * time: API Gateway documents the request's time and lists of header values for proxy events only.
 */
export function toAccessRequest(event: APIGatewayRequestAuthorizerEvent, nowMs: number): AccessRequest {
  return {
    organization: event.pathParameters?.['organization'] ?? '',
    neuron: event.pathParameters?.['neuron'] ?? '',
    // The peer's address as API Gateway saw it. Forwarding headers are the caller's text and are never read.
    sourceIp: event.requestContext.identity?.sourceIp,
    referers: headerValues(event, REQUEST_HEADERS.referer),
    origins: headerValues(event, REQUEST_HEADERS.origin),
    authorizations: headerValues(event, REQUEST_HEADERS.authorization) ?? [],
    timeMs: receivedAtMs(event.requestContext, nowMs),
  };
}

/** When API Gateway received the request, in milliseconds since the Unix epoch; `nowMs` where it does not say so. */
export function receivedAtMs(
  requestContext: { readonly requestTimeEpoch?: unknown } | undefined,
  nowMs: number,
): number {
  const timeMs = requestContext?.requestTimeEpoch;
  return Number.isSafeInteger(timeMs) && Number(timeMs) >= MIN_TIME_MS ? Number(timeMs) : nowMs;
}

/** The execution id: API Gateway's extended request id, which a caller cannot choose (unlike `requestId`). */
export function executionIdOf(requestContext: {
  readonly extendedRequestId?: string | undefined;
  readonly requestId: string;
}): string {
  return requestContext.extendedRequestId ?? requestContext.requestId;
}
