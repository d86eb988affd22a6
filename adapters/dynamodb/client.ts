// Makes DynamoDB clients whose every call ends in bounded time.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';

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

/** Sockets that clients with different bounds share: a function that starts makes one TLS handshake for all of them. */
export interface Connections {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/** As many sockets, kept alive, as a client of the SDK has of its own. Not for clients that are destroyed: one would end the calls of all. */
export function createConnections(): Connections {
  const settings = { keepAlive: true, maxSockets: 50 };
  return { httpAgent: new HttpAgent(settings), httpsAgent: new HttpsAgent(settings) };
}

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
