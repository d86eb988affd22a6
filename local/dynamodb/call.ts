// Calls a DynamoDB endpoint in the JSON protocol, so that no SDK is needed.

export interface DynamoDbError extends Error {
  /** For example `ResourceNotFoundException`. */
  readonly code: string;
}

export type CallDynamoDb = <Output = Readonly<Record<string, unknown>>>(
  operation: string,
  input: unknown,
) => Promise<Output>;

const STREAM_OPERATIONS = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']);
const CALL_TIMEOUT_MS = 30_000;

/**
 * Makes a caller for an endpoint (DynamoDB Developer Guide, "DynamoDB low-level API"). The signature is a placeholder: local engines
 * want one but do not check it.
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
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.ok) return body as never;
    const code = String(body['__type'] ?? answer.status).replace(/^.*#/, '');
    throw Object.assign(new Error(`${operation}: ${body['message'] ?? body['Message'] ?? code}`), { code });
  };
}
