// `node bench/store-way.ts [ROUNDS]`: the CPU of a put by the client of the functions, and of the same put signed and sent by hand
// (docs/decisions/0063-requests-stay-with-the-sdk.md). Both send to a server that answers at once, in turns.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { createDocumentClient, DEFAULT_LIMITS, type Item } from '../adapters/dynamodb/client.ts';
import { createAwsHandler } from '../adapters/http/aws-handler.ts';
import { Sha256 } from '../adapters/platform/sha256.ts';
import { withSpread } from './statistics.ts';
import { type Row, table } from './tables.ts';

const PUTS = 400;

/** About what a call's entry has. */
const ITEM: Item = {
  pk: 'log#2026-11-28T10#3',
  sk: '2026-11-28T10:00:00.000Z#exec-1=',
  organizationHour: 'a#2026-11-28T10',
  executionId: 'exec-1=',
  timeMs: 1_764_324_000_000,
  organization: 'acme',
  neuron: 'hello',
  outcome: 'success',
  status: 200,
  sourceIp: '203.0.113.7',
  version: 'v1',
  durationMs: 12,
  salt: new Uint8Array(16),
  input: { kind: 'hash', hash: 'x'.repeat(44), bytes: 1_000, key: 'current' },
  output: { kind: 'hash', hash: 'y'.repeat(44), bytes: 120, key: 'current' },
  modelCalls: [
    {
      provider: 'mock',
      model: 'mock-1',
      tokensInput: 8,
      tokensOutput: 4,
      costMicrodollars: 12,
      attempts: 1,
      latencyMs: 9,
    },
  ],
  trace: [
    {
      step: 'callModel',
      ms: 10,
      input: { kind: 'hash', hash: 'x'.repeat(44), bytes: 1_000, key: 'current' },
    },
  ],
};
const INPUT = { TableName: 'logs', ConditionExpression: 'attribute_not_exists(pk)' };

/** Retries, errors, the clock's correction and renewed credentials are left out: what is measured is the most that can be saved. */
function putByHand(endpoint: URL): () => Promise<unknown> {
  const handler = createAwsHandler(DEFAULT_LIMITS);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const signer = new SignatureV4({ credentials, region: 'us-east-1', sha256: Sha256, service: 'dynamodb' });
  const { protocol, hostname, port, host } = endpoint;
  return async () => {
    const body = JSON.stringify({ ...INPUT, Item: marshall(ITEM, { removeUndefinedValues: true }) });
    const headers = {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.PutItem',
      'content-length': String(Buffer.byteLength(body)),
    };
    const request = {
      method: 'POST',
      protocol,
      hostname,
      port: Number(port),
      path: '/',
      query: {},
      headers,
      body,
    };
    const { response } = await handler.handle(await signer.sign(request));
    return JSON.parse(Buffer.from(response.body).toString());
  };
}

function putByClient(endpoint: URL): () => Promise<unknown> {
  const client = createDocumentClient(DEFAULT_LIMITS, endpoint.href);
  return () => client.send(new PutCommand({ ...INPUT, Item: ITEM }));
}

/** Milliseconds of CPU for a put, by way, of each round. */
async function measureWays(
  endpoint: URL,
  rounds: number,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const ways = {
    'the client of the functions': putByClient(endpoint),
    'signed and sent by hand': putByHand(endpoint),
  };
  const figures: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, put] of Object.entries(ways)) {
      const before = process.cpuUsage();
      for (let count = 0; count < PUTS; count += 1) await put();
      const { user, system } = process.cpuUsage(before);
      // The first round is compiled.
      if (round > 0) figures[name] = [...(figures[name] ?? []), (user + system) / 1000 / PUTS];
    }
  }
  return figures;
}

function serve(): void {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () =>
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}'),
    );
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

if (process.argv[2] === 'serve') serve();
else {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const server = fork(import.meta.filename, ['serve']);
  const [port] = (await once(server, 'message')) as [number];
  const figures = await measureWays(new URL(`http://127.0.0.1:${port}`), Number(process.argv[2] ?? 8));
  server.kill();
  const rows = Object.entries(figures).map(([name, values]): Row => [name, withSpread(values)]);
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(`${table(['CPU of a put, ms', ''], rows)}\n\nload of the machine ${load}\n`);
}
