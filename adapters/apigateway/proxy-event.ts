// Converts a REST API proxy event into the neutral request of the execution function, and proves that the authorizer allowed it.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { AccessRequest } from '../../core/access/request.ts';
import type { ErrorCode } from '../../core/contract/error-codes.ts';
import { REQUEST_HEADERS, SESSION_HEADERS } from '../../core/contract/headers.ts';
import { isOfOrganization, QUERY_PARAMETERS, type Route, routeOf } from '../../core/contract/routes.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import { parseTraceparent } from '../../core/contract/traceparent.ts';
import type { KnownSettings } from '../../core/settings/settings-cache.ts';
import type { UnparsedInvocation } from '../../core/surfaces/surface.ts';
import {
  executionIdOf,
  headerValues,
  queryValues,
  receivedAtMs,
  surfaceOf,
  toAccessRequest,
} from './access-event.ts';
import { type AuthorizerContext, parseContext } from './authorizer-context.ts';

/** A request as the execution function gets it. Nothing of its content has been validated. */
export interface ExecutionRequest {
  readonly executionId: string;
  /** When API Gateway received it, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly organization: string;
  readonly neuron: string;
  readonly revision: string | undefined;
  /** From the header, or from `?key=` as the reference SDK sends it; every value given. */
  readonly previewKeys: readonly string[];
  /** Every value given; none in most requests. */
  readonly idempotencyKeys: readonly string[];
  /** Every value given; they count for keys alone that may name end users. */
  readonly endUsers?: readonly string[];
  readonly sourceIp: string;
  /** The host that the gateway was called by. */
  readonly host?: string;
  readonly refererHost: string | undefined;
  /** The caller's program, as it names itself. */
  readonly userAgent?: string;
  /** The session of an agent, as it names it in a header. */
  readonly session?: string;
  /** The trace of the caller, where it sent a valid one. */
  readonly traceparent?: string;
  readonly surface: Route['surface'];
  /** For a request of the list of models, or, with an id, of one of them; absent otherwise. */
  readonly models?: ModelListRequest | undefined;
  /** Present for a request that asks for the tokens of its conversation, and for no answer. */
  readonly countsTokens?: true;
  /** Present for a request with feedback on an answer. */
  readonly isFeedback?: true;
  /** For a call of an organization's URL, whose path names no neuron: what its access is decided by. */
  readonly ofOrganization?: AccessRequest | undefined;
  /** For such a call, once its neuron is known: the `model` as its caller wrote it, and the name without a version. */
  readonly chosen?: { readonly model: string; readonly name: string } | undefined;
  readonly unparsed: UnparsedInvocation;
  /** Undefined when the authorizer's context is not whole. */
  readonly authorizerContext: AuthorizerContext | undefined;
}

/** A request for the list of models, or for the one with this id. */
export interface ModelListRequest {
  readonly id: string | undefined;
  /** That of the surface. */
  readonly form: 'openai' | 'anthropic';
}

/** Never throws, whatever a caller sent. `nowMs` is the clock's time, for an event that has none. */
export function toExecutionRequest(event: APIGatewayProxyEvent, nowMs: number): ExecutionRequest {
  const { requestContext } = event;
  return {
    executionId: executionIdOf(requestContext),
    timeMs: receivedAtMs(requestContext, nowMs),
    organization: event.pathParameters?.['organization'] ?? '',
    neuron: event.pathParameters?.['neuron'] ?? '',
    revision: event.pathParameters?.['revision'],
    previewKeys: [
      ...(headerValues(event, REQUEST_HEADERS.previewKey) ?? []),
      ...queryValues(event, QUERY_PARAMETERS.previewKey),
    ],
    idempotencyKeys: headerValues(event, REQUEST_HEADERS.idempotencyKey) ?? [],
    ...toEndUsers(event),
    ...(requestContext.domainName === undefined ? {} : { host: requestContext.domainName }),
    sourceIp: requestContext.identity?.sourceIp ?? '',
    refererHost: hostOf(headerValues(event, REQUEST_HEADERS.referer)),
    ...toTrace(event),
    ...toClient(event),
    ...toRoute(event, nowMs),
    unparsed: {
      body: bodyOf(event),
      bypassCache: queryValues(event, QUERY_PARAMETERS.bypassCache),
      rawOutput: queryValues(event, QUERY_PARAMETERS.rawOutput),
      accept: headerValues(event, REQUEST_HEADERS.accept) ?? [],
      ...toVendorVersion(event),
      ...toProtocol(event),
    },
    authorizerContext: parseContext(requestContext.authorizer),
  };
}

function toVendorVersion(event: APIGatewayProxyEvent): Pick<UnparsedInvocation, 'vendorVersion'> {
  const versions = headerValues(event, REQUEST_HEADERS.anthropicVersion) ?? [];
  const betas = headerValues(event, REQUEST_HEADERS.anthropicBeta) ?? [];
  return versions.length + betas.length === 0 ? {} : { vendorVersion: { versions, betas } };
}

function toProtocol(event: APIGatewayProxyEvent): Pick<UnparsedInvocation, 'protocol'> {
  if (routeOf(event.resource)?.surface !== 'mcp') return {};
  return {
    protocol: {
      versions: headerValues(event, REQUEST_HEADERS.mcpVersion) ?? [],
      methods: headerValues(event, REQUEST_HEADERS.mcpMethod) ?? [],
      names: headerValues(event, REQUEST_HEADERS.mcpName) ?? [],
      origins: headerValues(event, REQUEST_HEADERS.origin) ?? [],
    },
  };
}

function toEndUsers(event: APIGatewayProxyEvent): Pick<ExecutionRequest, 'endUsers'> {
  const endUsers = headerValues(event, REQUEST_HEADERS.endUser) ?? [];
  return endUsers.length === 0 ? {} : { endUsers };
}

function toTrace(event: APIGatewayProxyEvent): Pick<ExecutionRequest, 'traceparent'> {
  const traceparent = parseTraceparent(headerValues(event, REQUEST_HEADERS.traceparent) ?? []);
  return traceparent === undefined ? {} : { traceparent };
}

/** A longer name is of no agent. */
const MAX_SESSION_LENGTH = 200;

function toClient(event: APIGatewayProxyEvent): Pick<ExecutionRequest, 'userAgent' | 'session'> {
  const [userAgent] = headerValues(event, REQUEST_HEADERS.userAgent) ?? [];
  const sessions = SESSION_HEADERS.flatMap((name) => headerValues(event, name) ?? []);
  const session = sessions.find(({ length }) => length > 0 && length <= MAX_SESSION_LENGTH);
  return {
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(session === undefined ? {} : { session }),
  };
}

/** The surface follows from the resource's path, which is ours: a caller's text decides only the parameters in it. */
function toRoute(
  event: APIGatewayProxyEvent,
  nowMs: number,
): Pick<ExecutionRequest, 'surface' | 'models' | 'countsTokens' | 'isFeedback' | 'ofOrganization'> {
  const route = routeOf(event.resource);
  if (route === undefined) return { surface: 'native' };
  const ofOrganization = isOfOrganization(route)
    ? { ofOrganization: toAccessRequest(event, nowMs) }
    : undefined;
  const surface = surfaceOf(event, route);
  const models = route.method === 'GET' ? { models: toModelList(event, surface) } : undefined;
  return {
    surface,
    ...ofOrganization,
    ...models,
    ...(COUNTS.has(route.operation) ? { countsTokens: true } : {}),
    ...(route.operation === 'sendFeedback' ? { isFeedback: true } : {}),
  };
}

const COUNTS: ReadonlySet<Route['operation']> = new Set<Route['operation']>([
  'countTokens',
  'countTokensBelowV1',
]);

function toModelList(event: APIGatewayProxyEvent, surface: Route['surface']): ModelListRequest {
  const id = event.pathParameters?.['model'];
  const form = surface === 'anthropic' ? 'anthropic' : 'openai';
  return { id: id === undefined ? undefined : decode(id), form };
}

/** Clients encode the slash of an id, which may arrive decoded or not. An invalid encoding stays as it is, and names no model. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The host of the only Referer, for the log, which must not hold paths and queries of foreign pages. */
export function hostOf(referers: readonly string[] | undefined): string | undefined {
  const [referer] = referers ?? [];
  if (referers?.length !== 1 || referer === undefined || !URL.canParse(referer)) return undefined;
  // Some URLs, such as `about:blank`, have no host.
  return new URL(referer).hostname.slice(0, 253) || undefined;
}

function bodyOf(event: APIGatewayProxyEvent): string | undefined {
  if (event.body == null) return undefined;
  return event.isBase64Encoded ? Buffer.from(event.body, 'base64').toString() : event.body;
}

declare const authorized: unique symbol;

/**
 * Proof that the authorizer allowed this very request. Only `toAdmission` makes one, and no step that costs or reveals
 * anything works without it.
 */
export type Admission = Extract<ExecutionRequest['authorizerContext'], { outcome: 'allow' }> & {
  readonly [authorized]: true;
};

/**
 * Outcomes that the authorizer lets through only because no gateway response can give their answer, with the code of that answer.
 * A denied request brings its code along.
 */
const NOT_ADMITTED = {
  not_found: 'not_found',
  configuration: 'configuration',
  unavailable: 'dependency_unavailable',
} as const satisfies Record<string, ErrorCode>;

/** 403 with the code of a denial, 404 `not_found`, 500 `configuration`, 503 `dependency_unavailable`: whatever the authorizer found. */
export function requireAdmission(request: ExecutionRequest, known: KnownSettings | undefined): Admission {
  return toAdmission(request, known?.verdict.usable === false ? known.verdict.reason : undefined);
}

/** The admission of a request: the authorizer said `allow`, and for the slugs of this path. `unusableBecause` is for the log. */
export function toAdmission(
  { authorizerContext, organization, neuron }: ExecutionRequest,
  unusableBecause?: string,
): Admission {
  if (authorizerContext === undefined)
    throw new ServiceError('internal', { reason: 'the authorizer passed no context' });
  if (authorizerContext.outcome === 'denied') throw new ServiceError(authorizerContext.code);
  if (authorizerContext.outcome === 'key') {
    throw new ServiceError('internal', { reason: 'a key alone admits to no neuron' });
  }
  if (authorizerContext.outcome !== 'allow') {
    const reason = unusableBecause ?? authorizerContext.reason;
    throw new ServiceError(NOT_ADMITTED[authorizerContext.outcome], reason === undefined ? {} : { reason });
  }
  if (authorizerContext.organization !== organization || authorizerContext.neuron !== neuron) {
    throw new ServiceError('internal', { reason: 'the authorizer decided on another path' });
  }
  return authorizerContext as Admission;
}
