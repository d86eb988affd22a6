// A DynamoDB client whose every call ends, against servers that do not answer.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDocumentClient, DEFAULT_LIMITS } from '../../../adapters/dynamodb/client.ts';
import { createConnections } from '../../../adapters/http/connections.ts';

let server: Server;
let calls = 0;
let answer: 'never' | 'throttled' | 'refused' | Failure;
/** Of each call. */
let dates: string[] = [];

/** What the first call meets; the others find nothing, which is an answer. */
type Failure = 'cut' | 'cut within' | 'failed' | 'late clock';

beforeEach(async () => {
  calls = 0;
  dates = [];
  server = createServer((request, response) => {
    calls += 1;
    dates.push(String(request.headers['x-amz-date']));
    if (answer === 'never') return;
    if (answer === 'refused') return reject(response);
    if (answer !== 'throttled') {
      if (calls > 1) response.end('{}');
      else fail(response, answer);
      return;
    }
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

function reject(response: ServerResponse): void {
  const item = '{"pk":{"S":"a"},"taken":{"N":"5"}}';
  const type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(`{"__type":"${type}","Item":${item},"message":"no"}`);
}

/** An hour ahead of this machine. */
const THERE_MS = 3_600_000;

function fail(response: ServerResponse, failure: Failure): void {
  if (failure === 'cut') response.destroy();
  else if (failure === 'cut within') {
    response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
  } else if (failure === 'failed') {
    response.writeHead(500).end('{"__type":"InternalServerError"}');
  } else {
    response.writeHead(400, { date: new Date(Date.now() + THERE_MS).toUTCString() });
    response.end('{"__type":"com.amazon.coral.service#InvalidSignatureException"}');
  }
}

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
    await expect(readPatiently(3)).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    expect(calls).toBe(3);
  });

  it('does not try again where one try is all', async () => {
    answer = 'throttled';
    await expect(readPatiently(1)).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    expect(calls).toBe(1);
  });
});

describe('the SDK within a client', () => {
  it.each<Failure>(['cut', 'cut within', 'failed'])(
    'tries again after a call that was %s',
    async (failure) => {
      answer = failure;
      await expect(readPatiently(2)).resolves.toMatchObject({ $metadata: { attempts: 2 } });
      expect(calls).toBe(2);
      calls = 0;
      await expect(readPatiently(1)).rejects.toThrow();
      expect(calls).toBe(1);
    },
  );

  it('signs by the clock of the service, where the two differ', async () => {
    answer = 'late clock';
    await readPatiently(2);
    const [first = 0, second = 0] = dates.map((date) =>
      Date.parse(date.replace(BASIC, '$1-$2-$3T$4:$5:$6Z')),
    );
    expect(second - first).toBeGreaterThan(THERE_MS - 60_000);
  });

  it('gives errors of its classes, with what they hold', async () => {
    answer = 'refused';
    const error = await readPatiently(1).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error).toMatchObject({ Item: { pk: { S: 'a' }, taken: { N: '5' } }, message: 'no' });
  });

  it('does without the two middlewares that prepare what nobody reads', () => {
    const names = (stack: DynamoDBClient['middlewareStack']) => stack.identify().join('\n');
    const plain = names(new DynamoDBClient({}).middlewareStack);
    const lean = names(createDocumentClient().middlewareStack);
    expect(plain).toMatch(/loggerMiddleware[\s\S]*getUserAgentMiddleware/);
    expect(lean).not.toMatch(/loggerMiddleware|getUserAgentMiddleware/);
    expect(lean.split('\n')).toHaveLength(plain.split('\n').length - 2);
  });

  it('ends when it is given up', async () => {
    answer = 'never';
    const input = new AbortController();
    server.once('request', () => input.abort());
    const client = createDocumentClient(PATIENT, endpoint());
    const read = client.send(new GetCommand({ TableName: 'table', Key: { pk: 'a' } }), {
      abortSignal: input.signal,
    });
    await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls).toBe(1);
  });

  it('signs with what the environment gives, its session included', async () => {
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    answer = 'failed';
    const seen: [IncomingMessage, string][] = [];
    server.prependListener('request', async (request: IncomingMessage) => {
      seen.push([request, Buffer.concat(await request.toArray()).toString()]);
    });
    await readPatiently(2);
    expect(seen).toHaveLength(2);
    for (const [{ headers }, body] of seen) {
      expect(headers['x-amz-security-token']).toBe('session');
      expect(headers['user-agent']).toBe('neuron-execution-service');
      expect(headers.authorization).toBe(sign(headers, body));
    }
  });
});

const PATIENT = { maxAttempts: 1, connectionTimeout: 30_000, requestTimeout: 30_000 };

function readPatiently(maxAttempts: number): Promise<unknown> {
  const client = createDocumentClient({ ...PATIENT, maxAttempts }, endpoint());
  return client.send(new GetCommand({ TableName: 'table', Key: { pk: 'a' } }));
}

/** ISO 8601 without its marks. */
const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Signature Version 4 by its definition (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). */
function sign(headers: IncomingMessage['headers'], body: string): string {
  const date = String(headers['x-amz-date']);
  const scope = [date.slice(0, 8), 'us-east-1', 'dynamodb', 'aws4_request'];
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1] ?? '';
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = ['POST', '/', '', signed.join(''), names, hash(body)].join('\n');
  const key = scope.reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    'AWS4local',
  );
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), hash(canonical)].join('\n');
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=local/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

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
