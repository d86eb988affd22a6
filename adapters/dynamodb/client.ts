// Makes DynamoDB clients whose every call ends in bounded time.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { SignatureV4 } from '@smithy/signature-v4';
import { createAwsHandler } from '../http/aws-handler.ts';
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

/** A document client. Region, credentials and endpoint come from the standard AWS variables. */
export function createDocumentClient(
  limits: ClientLimits = DEFAULT_LIMITS,
  endpoint?: string,
  connections?: Connections,
): DynamoDBDocumentClient {
  const client: DynamoDBClient = new DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: limits.maxAttempts,
    requestHandler: createAwsHandler(limits, connections),
    signer: () => signer,
  });
  const signer = createSigner(client);
  // They prepare what a logger would show, and a list of the SDK's features that nobody reads, for each request.
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) client.middlewareStack.remove(name);
  useShortConfig(client);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** As the SDK makes one for each request. Region and credentials stay the client's, and the clock is corrected by it as ever. */
async function createSigner({ config }: DynamoDBClient): Promise<SignatureV4> {
  const { credentials, region, sha256 } = config;
  return new SignatureV4({ credentials, region, sha256, service: 'dynamodb' });
}

/** The SDK's own plugin once more, with what it needs of the configuration: of all that it is given, it makes two copies for each request. */
function useShortConfig({ config, middlewareStack }: DynamoDBClient): void {
  const { protocol, requestHandler, urlParser, streamCollector, disableHostPrefix, endpoint } = config;
  const { base64Decoder, base64Encoder, utf8Decoder, utf8Encoder } = config;
  const short = {
    ...{ protocol, requestHandler, urlParser, streamCollector, disableHostPrefix, endpoint },
    ...{ base64Decoder, base64Encoder, utf8Decoder, utf8Encoder },
  };
  middlewareStack.use(getSchemaSerdePlugin(short));
  // As it was before.
  protocol.setSerdeContext(config);
}
