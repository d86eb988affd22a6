// Calls a DynamoDB endpoint: the JSON protocol itself, since the SDK's client for streams is a package of its own.

/** An answer with an error. */
export interface DynamoDbError extends Error {
  /** For example `ResourceNotFoundException`. */
  readonly code: string;
}

/** Calls one operation of an endpoint. */
export type CallDynamoDb = <Output = Readonly<Record<string, unknown>>>(
  operation: string,
  input: unknown,
) => Promise<Output>;

const STREAM_OPERATIONS = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']);
const LONGEST_CALL_MS = 30_000;

/**
 * Makes a caller for an endpoint, with placeholder credentials: local engines want a signature but do not check it
 * (DynamoDB Developer Guide, "DynamoDB low-level API").
 */
export function createCaller(endpoint: string, region: string): CallDynamoDb {
  return async (operation, input) => {
    const isStream = STREAM_OPERATIONS.has(operation);
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `${isStream ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'}.${operation}`,
        'x-amz-date': `${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`,
        authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=local`,
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(LONGEST_CALL_MS),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.ok) return body as never;
    const code = String(body['__type'] ?? answer.status).replace(/^.*#/, '');
    throw Object.assign(new Error(`${operation}: ${body['message'] ?? body['Message'] ?? code}`), { code });
  };
}
