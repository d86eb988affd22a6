// Makes DynamoDB clients whose every call ends in bounded time.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { SignatureV4 } from '@smithy/signature-v4';
import { createAwsHandler } from '../http/aws-handler.ts';
import type { Connections } from '../http/connections.ts';

/** An item as the document client has it. */
export type Item = Record<string, unknown>;

/** Most keys of one BatchGetItem (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html). */
export const MAX_BATCH = 100;

/** The values in order, in lists of `size`, the last of which may be shorter. */
export function chunksOf<Value>(values: readonly Value[], size: number): readonly (readonly Value[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

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

/** DynamoDB keeps 38 digits: a number that no double holds would otherwise become a BigInt, with which nobody can count, or an error. */
export const DOCUMENTS: TranslateConfig = {
  marshallOptions: { removeUndefinedValues: true },
  unmarshallOptions: { wrapNumbers: Number },
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
  removeUnread(client);
  useShortConfig(client);
  return DynamoDBDocumentClient.from(client, DOCUMENTS);
}

/** Removes what prepares a log record for each request, and a list of SDK features, that nobody reads. */
export function removeUnread({ middlewareStack }: DynamoDBClient): void {
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware']) middlewareStack.remove(name);
}

/** The signer that the SDK would make anew for each request. The client still gives region and credentials, and corrects the clock. */
async function createSigner({ config }: DynamoDBClient): Promise<SignatureV4> {
  const { credentials, region, sha256 } = config;
  return new SignatureV4({ credentials, region, sha256, service: 'dynamodb' });
}

/** Adds the SDK's own plugin again, with a short configuration: it copies its configuration twice for each request. */
function useShortConfig({ config, middlewareStack }: DynamoDBClient): void {
  const { protocol, requestHandler, urlParser, streamCollector, disableHostPrefix, endpoint } = config;
  const { base64Decoder, base64Encoder, utf8Decoder, utf8Encoder } = config;
  const codecs = { base64Decoder, base64Encoder, utf8Decoder, utf8Encoder };
  const short = { protocol, requestHandler, urlParser, streamCollector, disableHostPrefix, endpoint };
  middlewareStack.use(getSchemaSerdePlugin({ ...short, ...codecs }));
  // The plugin has set the short configuration.
  protocol.setSerdeContext(config);
}
