// Makes DynamoDB clients whose every call ends in bounded time.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Connections } from '../http/connections.ts';

/** An item as the document client has it. */
export type Item = Record<string, unknown>;

/** Bounds of one client; times in milliseconds. */
export interface ClientLimits {
  readonly maxAttempts: number;
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
}

/** Reads and log puts: three tries of at most a second each. */
export const DEFAULT_LIMITS: ClientLimits = {
  maxAttempts: 3,
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
};

/**
 * A document client. Region, credentials and endpoint come from the standard AWS variables.
 * `throwOnRequestTimeout` is not the default: without it `requestTimeout` only warns (@smithy/node-http-handler 4.14).
 */
export function createDocumentClient(
  limits: ClientLimits = DEFAULT_LIMITS,
  endpoint?: string,
  connections?: Connections,
): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: limits.maxAttempts,
    requestHandler: new NodeHttpHandler({
      ...connections,
      connectionTimeout: limits.connectionTimeout,
      requestTimeout: limits.requestTimeout,
      throwOnRequestTimeout: true,
    }),
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
