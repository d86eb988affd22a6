// The measuring process: loads both bundles and drives requests through them one after the other.
import { Writable } from 'node:stream';
import { percentile, round } from './statistics.ts';

const WARM_UP = 500;
const REQUESTS = 3_000;

type Handler = (event: unknown, ...rest: unknown[]) => Promise<unknown>;

/** A response stream that takes everything and keeps nothing. */
class Sink extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => handler,
    HttpResponseStream: { from: (stream: Sink) => stream },
  },
});

const files = JSON.parse(process.argv[2] ?? '{}') as { authorizer: string; execution: string };
const { handler: authorize } = (await import(files.authorizer)) as { handler: Handler };
const { handler: execute } = (await import(files.execution)) as { handler: Handler };
const context = { getRemainingTimeInMillis: () => 60_000 };

function requestContext(number: number, authorizer?: unknown) {
  return {
    extendedRequestId: `bench-${process.pid}-${number}`,
    requestId: `bench-${number}`,
    requestTimeEpoch: Date.now(),
    identity: { sourceIp: '203.0.113.7' },
    authorizer,
  };
}

async function request(number: number): Promise<void> {
  const shape = {
    pathParameters: { organization: 'acme', neuron: 'hello' },
    multiValueHeaders: {
      'content-type': ['application/json'],
      host: ['example.com'],
      'user-agent': ['bench'],
    },
    multiValueQueryStringParameters: null,
  };
  const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:api/prod/POST/acme/hello';
  const result = await authorize({ ...shape, methodArn, requestContext: requestContext(number) });
  const authorizer = (result as { context: unknown }).context;
  const event = {
    ...shape,
    body: '{"input":"Hello"}',
    isBase64Encoded: false,
    requestContext: requestContext(number, authorizer),
  };
  await execute(event, new Sink(), context);
}

const samples: number[] = [];
for (let number = 0; number < WARM_UP + REQUESTS; number += 1) {
  const before = process.cpuUsage();
  await request(number);
  const { user, system } = process.cpuUsage(before);
  if (number >= WARM_UP) samples.push((user + system) / 1000);
}
process.send?.({
  requests: samples.length,
  p50: round(percentile(samples, 0.5)),
  p99: round(percentile(samples, 0.99)),
});
process.disconnect();
process.exit(0);
