// Converts the event of a REST API authorizer into the neutral request that access control decides on, and its decision into a policy.
import { randomUUID } from 'node:crypto';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Decision } from '../../core/access/decision.ts';
import type { AccessRequest } from '../../core/access/request.ts';
import { REQUEST_HEADERS } from '../../core/contract/headers.ts';
import { isOfOrganization, type Route, routeOf } from '../../core/contract/routes.ts';
import type { KeyGrants, StoredKey } from '../../core/ports/keys.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';
import { type AuthorizerContext, renderContext, toAllowed } from './authorizer-context.ts';
import { headerValues } from './header-values.ts';

/** The message that API Gateway answers with 401. */
export const UNAUTHORIZED = 'Unauthorized';

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

/** The policy of a decision. Throws `Unauthorized` for a 401, but on routes whose clients read no other form than theirs. */
export function toPolicy(
  { methodArn, resource }: APIGatewayRequestAuthorizerEvent,
  address: AccessRequest,
  decision: Decision,
  settings: UsableSettings | undefined,
): APIGatewayAuthorizerResult {
  if (decision.outcome === 'refused') {
    // A gateway response has one form for all routes, which is that of the service itself.
    const isAnswered = (routeOf(resource)?.surface ?? 'native') !== 'native';
    if (decision.code === 'unauthorized' && !isAnswered) throw unauthorized();
    return allowPolicy(methodArn, { outcome: 'denied', code: decision.code });
  }
  // The execution function answers for these, as for a denial: a gateway response has one status and one text per type.
  if (decision.outcome !== 'allow' || settings === undefined) {
    const outcome = decision.outcome === 'allow' ? 'not_found' : decision.outcome;
    return allowPolicy(methodArn, { outcome, reason: decision.reason });
  }
  return allowPolicy(methodArn, toAllowed(address, decision, settings.version));
}

/** True for a call of an organization's URL, on which access needs a key and no neuron is known yet. */
export function isOrganizationCall({
  resource,
}: Pick<APIGatewayRequestAuthorizerEvent, 'resource'>): boolean {
  const route = routeOf(resource);
  return route !== undefined && isOfOrganization(route);
}

/** The outcome of looking for a live key of the organization. */
type KeyProof =
  | {
      readonly outcome: 'proven';
      readonly organizationId: string;
      readonly key: StoredKey;
      readonly keyGrants: KeyGrants | undefined;
    }
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'unavailable'; readonly reason: string };

/** The policy of a proof. It admits to no neuron: the execution function decides on the one that the body names. */
export function toKeyPolicy(
  { methodArn }: Pick<APIGatewayRequestAuthorizerEvent, 'methodArn'>,
  { organization }: AccessRequest,
  proof: KeyProof,
): APIGatewayAuthorizerResult {
  if (proof.outcome === 'invalid') return allowPolicy(methodArn, { outcome: 'denied', code: 'unauthorized' });
  if (proof.outcome === 'unavailable') {
    return allowPolicy(methodArn, { outcome: 'unavailable', reason: proof.reason });
  }
  const { organizationId, key, keyGrants } = proof;
  const { keyId, usageLimits: keyLimits, neurons: neuronIds, neuronPatterns } = key;
  return allowPolicy(methodArn, {
    outcome: 'key',
    organization,
    organizationId,
    keyId,
    keyLimits,
    keyGrants,
    neuronIds,
    neuronPatterns,
  });
}

/**
 * Lambda's runtime logs the stack of whatever a handler rejects with, so here for every caller without a credential: the
 * stack is one word. It must not be empty: runtimes before 4.0 replace the message of an error without a stack
 * (aws-lambda-nodejs-runtime-interface-client, `toRapidResponse`), and API Gateway would answer 500.
 */
function unauthorized(): Error {
  return Object.assign(new Error(UNAUTHORIZED), { stack: UNAUTHORIZED });
}

/**
 * An Allow for the whole stage: sound because results are never cached (TTL 0), so a policy serves one request only.
 * There is no Deny: API Gateway would answer it, and its answer cannot be relied on to name the code of the denial.
 */
export function allowPolicy(
  methodArn: string,
  authorizerContext: AuthorizerContext,
): APIGatewayAuthorizerResult {
  return {
    principalId: 'caller',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: stageResource(methodArn) }],
    },
    context: renderContext(authorizerContext),
  };
}

/** `arn:…:API/STAGE/METHOD/PATH` → `arn:…:API/STAGE/*`: the path holds what the caller wrote and stays out of the policy. */
function stageResource(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}
