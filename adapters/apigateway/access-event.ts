// Reads of a REST API event what the authorizer and the execution function both need: who calls what, when, and with which headers.
import { randomUUID } from 'node:crypto';
import type { AccessRequest } from '../../core/access/request.ts';
import { REQUEST_HEADERS } from '../../core/contract/headers.ts';
import { isOfOrganization, type Route, routeOf } from '../../core/contract/routes.ts';

/** Earlier times (before September 2001) are ignored: seconds in place of milliseconds would make expired tokens valid. */
const MIN_TIME_MS = 1e12;

/** The members that both functions get of a request. */
type AccessEvent = Parameters<typeof headerValues>[0] & {
  readonly resource: string;
  readonly pathParameters: Readonly<Record<string, string | undefined>> | null;
  readonly requestContext: {
    readonly identity?: { readonly sourceIp?: string | undefined } | null | undefined;
    readonly requestTimeEpoch?: unknown;
  };
};

/**
 * Slugs come from the path parameters alone; a missing one is an empty slug, which names nothing. `nowMs` is the clock's
 * time: API Gateway documents the request's time and lists of header values for proxy events only.
 */
export function toAccessRequest(event: AccessEvent, nowMs: number): AccessRequest {
  return {
    organization: event.pathParameters?.['organization'] ?? '',
    neuron: event.pathParameters?.['neuron'] ?? '',
    // The peer's address as API Gateway saw it. Forwarding headers are the caller's text and are never read.
    sourceIp: event.requestContext.identity?.sourceIp,
    referers: headerValues(event, REQUEST_HEADERS.referer),
    origins: headerValues(event, REQUEST_HEADERS.origin),
    authorizations: authorizationsOf(event),
    timeMs: receivedAtMs(event.requestContext, nowMs),
  };
}

/** The surface of a request: models are in Anthropic's form to its clients, which send their version each time. */
export function surfaceOf(
  event: Parameters<typeof headerValues>[0],
  { method, surface }: Pick<Route, 'method' | 'surface'>,
): Route['surface'] {
  const versions = method === 'GET' ? headerValues(event, REQUEST_HEADERS.anthropicVersion) : undefined;
  return (versions?.length ?? 0) > 0 ? 'anthropic' : surface;
}

/** From Anthropic's clients a key may come in a header of its own, too; two credentials that differ are two, which no caller may send. */
function authorizationsOf(event: AccessEvent): readonly string[] {
  const authorizations = headerValues(event, REQUEST_HEADERS.authorization) ?? [];
  const route = routeOf(event.resource);
  if (route === undefined || surfaceOf(event, route) !== 'anthropic') return authorizations;
  const keys = headerValues(event, REQUEST_HEADERS.anthropicKey) ?? [];
  const others = keys.map((key) => `Bearer ${key}`).filter((one) => !authorizations.includes(one));
  return [...authorizations, ...others];
}

/** When API Gateway received the request, in milliseconds since the Unix epoch; `nowMs` where it does not say so. */
export function receivedAtMs(
  requestContext: { readonly requestTimeEpoch?: unknown } | undefined,
  nowMs: number,
): number {
  const timeMs = requestContext?.requestTimeEpoch;
  return Number.isSafeInteger(timeMs) && Number(timeMs) >= MIN_TIME_MS ? Number(timeMs) : nowMs;
}

/**
 * The execution id: API Gateway's extended request id, which a caller cannot choose (unlike `requestId`). A gateway that sends neither,
 * as emulators do, gets a random one: entries are found by it.
 */
export function executionIdOf(requestContext: {
  readonly extendedRequestId?: string | undefined;
  readonly requestId?: string | undefined;
}): string {
  return requestContext.extendedRequestId ?? requestContext.requestId ?? randomUUID();
}

/** True for a call of an organization's URL, on which access needs a key and no neuron is known yet. */
export function isOrganizationCall({ resource }: Pick<AccessEvent, 'resource'>): boolean {
  const route = routeOf(resource);
  return route !== undefined && isOfOrganization(route);
}

/** The members that are read; AWS documents them for proxy events, and not all of them for authorizers. */
interface HeaderMaps {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined;
}

/** The same for query parameters. */
interface QueryMaps {
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueQueryStringParameters?:
    | Readonly<Record<string, readonly string[] | undefined>>
    | null
    | undefined;
}

/**
 * Every value of a header, whatever the case of its name: API Gateway passes names as the caller wrote them. Undefined
 * where the event has no headers: whether the caller sent one is unknown then.
 */
export function headerValues(event: HeaderMaps, name: string): readonly string[] | undefined {
  const { headers, multiValueHeaders } = event;
  if (multiValueHeaders == null && headers == null) return undefined;
  const wanted = name.toLowerCase();
  const values = selectValues(multiValueHeaders, (key) => key.toLowerCase() === wanted);
  // `headers` has only the last value of each.
  return values.length > 0 ? values : selectValues(headers, (key) => key.toLowerCase() === wanted);
}

/** Every value of a query parameter; names are compared exactly. */
export function queryValues(event: QueryMaps, name: string): readonly string[] {
  const values = selectValues(event.multiValueQueryStringParameters, (key) => key === name);
  return values.length > 0 ? values : selectValues(event.queryStringParameters, (key) => key === name);
}

function selectValues(
  map: Readonly<Record<string, string | readonly string[] | undefined>> | null | undefined,
  isWanted: (key: string) => boolean,
): readonly string[] {
  return Object.entries(map ?? {}).flatMap(([key, value]) => (isWanted(key) ? (value ?? []) : []));
}
