// Reading lines from CloudWatch Logs, over its wire format and a server on this machine.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLineReader } from '../../../adapters/cloudwatch/line-reader.ts';

interface Call {
  readonly target: string | undefined;
  readonly type: string | undefined;
  readonly body: Record<string, unknown>;
}

let server: Server;
let client: CloudWatchLogsClient;
let calls: Call[] = [];
/** Answers in order: a status and a body as CloudWatch Logs sends it. */
let answers: (readonly [number, object])[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    calls.push({
      target: String(request.headers['x-amz-target']),
      type: request.headers['content-type'],
      body: JSON.parse(text) as Record<string, unknown>,
    });
    const [status, body] = answers.shift() ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new CloudWatchLogsClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});
afterAll(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  calls = [];
});

async function read(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createLineReader(client).read('/aws/lambda/execute', 1_000, 2_000))
    lines.push(line);
  return lines;
}

const event = (message: string) => ({
  logStreamName: 's',
  timestamp: 1,
  message,
  ingestionTime: 2,
  eventId: 'e',
});

describe('reading lines from CloudWatch Logs', () => {
  it('goes on through empty pages to the last one, and asks for entries of the time alone', async () => {
    answers = [
      [200, { events: [event('one'), event('two')], searchedLogStreams: [], nextToken: 'page-2' }],
      [200, { events: [], nextToken: 'page-3' }],
      [200, { events: [event('three\n')] }],
    ];
    expect(await read()).toEqual(['one', 'two', 'three\n']);
    const asked = {
      logGroupName: '/aws/lambda/execute',
      filterPattern: '{ ($.neuronEntry = 1) || ($.neuronRun = 1) }',
      startTime: 1_000,
      endTime: 1_999,
    };
    expect(calls.map(({ body }) => body)).toEqual([
      asked,
      { ...asked, nextToken: 'page-2' },
      { ...asked, nextToken: 'page-3' },
    ]);
    expect(calls[0]).toMatchObject({
      target: 'Logs_20140328.FilterLogEvents',
      type: 'application/x-amz-json-1.1',
    });
  });

  it('fails as CloudWatch Logs does', async () => {
    answers = [
      [400, { __type: 'ResourceNotFoundException', message: 'The specified log group does not exist.' }],
    ];
    await expect(read()).rejects.toThrow('The specified log group does not exist.');
  });
});
