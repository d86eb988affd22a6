// Reads headers and query parameters of a REST API event without losing doubled ones.
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

type Event = Pick<
  APIGatewayProxyEvent | APIGatewayRequestAuthorizerEvent,
  'multiValueHeaders' | 'multiValueQueryStringParameters'
>;

/** Every value of a header, whatever the case of its name: API Gateway passes names as the caller wrote them. */
export function headerValues(event: Event, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (const [key, list] of Object.entries(event.multiValueHeaders ?? {})) {
    if (key.toLowerCase() === wanted) values.push(...(list ?? []));
  }
  return values;
}

/** Every value of a query parameter; names are compared exactly. */
export function queryValues(event: Event, name: string): readonly string[] {
  const parameters = event.multiValueQueryStringParameters ?? {};
  return Object.hasOwn(parameters, name) ? (parameters[name] ?? []) : [];
}
