// Events as a REST API sends them, with the parts that tests change (AWS Lambda developer guide, "Using AWS Lambda with API Gateway").
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

/** The parts of a request that tests change. */
export interface EventParts {
  readonly headers?: Record<string, string[]> | null;
  readonly query?: Record<string, string[]> | null;
  readonly path?: Record<string, string> | null;
  readonly body?: string | null;
  readonly base64?: boolean;
  readonly authorizer?: Record<string, unknown> | null;
  readonly extendedRequestId?: string;
  /** Members of the event that are to be missing, by their path: `multiValueHeaders`, `requestContext.identity`. */
  readonly without?: readonly string[];
}

const PATH = { organization: 'acme', neuron: 'hello' };

function requestContext(parts: EventParts) {
  return {
    accountId: '123456789012',
    apiId: 'a1b2c3d4e5',
    stage: 'prod',
    requestId: 'chosen-by-the-caller',
    ...('extendedRequestId' in parts
      ? { extendedRequestId: parts.extendedRequestId }
      : { extendedRequestId: 'ext-1' }),
    requestTimeEpoch: 1_795_264_200_000,
    identity: { sourceIp: '203.0.113.7', userAgent: 'curl' },
    authorizer: parts.authorizer === undefined ? null : parts.authorizer,
  };
}

function common(parts: EventParts) {
  const multiValueHeaders = parts.headers === undefined ? {} : parts.headers;
  return {
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: lastValues(parts.query ?? null),
    multiValueQueryStringParameters: parts.query === undefined ? null : parts.query,
    pathParameters: parts.path === undefined ? PATH : parts.path,
    requestContext: requestContext(parts),
  };
}

function lastValues(values: Record<string, string[]> | null): Record<string, string | undefined> | null {
  if (values === null) return null;
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1)]));
}

/** The event of a proxy integration. */
export function proxyEvent(parts: EventParts = {}): APIGatewayProxyEvent {
  const event = { ...common(parts), body: parts.body ?? null, isBase64Encoded: parts.base64 ?? false };
  return withoutMembers(event, parts.without) as unknown as APIGatewayProxyEvent;
}

/** The event of a request authorizer. */
export function authorizerEvent(parts: EventParts = {}): APIGatewayRequestAuthorizerEvent {
  const methodArn = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/prod/POST/acme/hello';
  const event = { ...common(parts), type: 'REQUEST', methodArn };
  return withoutMembers(event, parts.without) as unknown as APIGatewayRequestAuthorizerEvent;
}

function withoutMembers(event: object, paths: readonly string[] = []): object {
  for (const path of paths) {
    const names = path.split('.');
    const parent = names.slice(0, -1).reduce<object>((value, name) => Reflect.get(value, name), event);
    Reflect.deleteProperty(parent, names.at(-1) ?? '');
  }
  return event;
}
