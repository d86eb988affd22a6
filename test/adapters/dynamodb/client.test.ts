// A DynamoDB client whose every call ends, against servers that do not answer.
import { createServer, type Server } from 'node:http';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDocumentClient, DEFAULT_LIMITS } from '../../../adapters/dynamodb/client.ts';
import { createConnections } from '../../../adapters/http/connections.ts';

let server: Server;
let calls = 0;
let answer: 'never' | 'throttled';

beforeEach(async () => {
  calls = 0;
  server = createServer((_request, response) => {
    calls += 1;
    if (answer === 'never') return;
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function endpoint(): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `http://127.0.0.1:${port}`;
}

function read(maxAttempts: number): Promise<unknown> {
  const limits = { maxAttempts, connectionTimeout: 100, requestTimeout: 100 };
  const client = createDocumentClient(limits, endpoint());
  return client
    .send(new GetCommand({ TableName: 'table', Key: { pk: 'a' } }))
    .finally(() => client.destroy());
}

describe('a client', () => {
  it('gives up on a server that never answers, after the tries that it has', async () => {
    answer = 'never';
    await expect(read(2)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(calls).toBe(2);
  });

  it('gives up on a table that throttles, after the tries that it has', async () => {
    answer = 'throttled';
    await expect(read(3)).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    expect(calls).toBe(3);
  });

  it('does not try again where one try is all', async () => {
    answer = 'throttled';
    await expect(read(1)).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    expect(calls).toBe(1);
  });
});

describe('clients', () => {
  it.each([
    ['of their own take a socket each', undefined, 2],
    ['that share their connections take one socket, one after the other', createConnections(), 1],
  ])('%s', async (_what, connections, expected) => {
    answer = 'throttled';
    let sockets = 0;
    server.on('connection', () => {
      sockets += 1;
    });
    for (const bounds of [DEFAULT_LIMITS, { ...DEFAULT_LIMITS, requestTimeout: 900 }]) {
      const client = createDocumentClient({ ...bounds, maxAttempts: 1 }, endpoint(), connections);
      await expect(client.send(new GetCommand({ TableName: 'table', Key: { pk: 'a' } }))).rejects.toThrow();
    }
    expect(sockets).toBe(expected);
  });
});
