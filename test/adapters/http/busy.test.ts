// Requests of a process that is busy: 64 runs at a time share its sockets and its one thread.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAwsHandler } from '../../../adapters/http/aws-handler.ts';
import { createConnections } from '../../../adapters/http/connections.ts';
import type { OpenHttp } from '../../../adapters/http/message.ts';

const RUNS = 64;
const WAITS = { connectionTimeout: 20_000, requestTimeout: 20_000 };

let openHttp: OpenHttp;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  const { createOpenHttp } = await import('../../../adapters/http/request.ts');
  openHttp = createOpenHttp();
});

const requestOf = (port: number) => ({
  ...{ protocol: 'http:', hostname: '127.0.0.1', port, method: 'POST', path: '/', headers: {}, body: '{}' },
});

/** Answers nobody until as many wait. */
async function serveTogether(count: number): Promise<number> {
  const waiting: ServerResponse[] = [];
  const server = createServer((input, response) => {
    input.resume();
    waiting.push(response);
    if (waiting.length === count) for (const one of waiting) one.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('64 runs of a process', () => {
  it('have four requests to the stores at a time, and none waits for the socket of another', async () => {
    const port = await serveTogether(4 * RUNS);
    const connections = createConnections();
    onTestFinished(() => connections.httpAgent.destroy());
    // Three clients with bounds of their own share the sockets.
    const handlers = [1, 2, 3].map(() => createAwsHandler(WAITS, connections));
    const answers = await Promise.all(
      Array.from({ length: 4 * RUNS }, (_, index) => handlers[index % 3]?.handle(requestOf(port))),
    );
    expect(new Set(answers.map((answer) => answer?.response.statusCode))).toEqual(new Set([200]));
  }, 30_000);

  it('have two models of one host each, their own and that of a shadow', async () => {
    const port = await serveTogether(2 * RUNS);
    const { signal } = new AbortController();
    const request = { method: 'POST', url: `http://127.0.0.1:${port}/v1`, body: '{}', signal } as const;
    const answers = await Promise.all(Array.from({ length: 2 * RUNS }, () => openHttp(request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of answers) answer.close();
  }, 30_000);
});

/** A server with a thread of its own, which answers after as many milliseconds as the path says. */
async function serveBeside(): Promise<number> {
  const worker = new Worker(
    `const { createServer } = require('node:http');
     const server = createServer((input, response) => {
       input.resume();
       setTimeout(() => response.end('{}'), Number(input.url.slice(1)));
     });
     server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  onTestFinished(async () => void (await worker.terminate()));
  return new Promise((resolve) => worker.once('message', resolve));
}

/** Nothing else of this thread runs meanwhile. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('a request whose answer came while its process was busy', () => {
  it('is answered, though its time had passed before anybody looked; one without an answer is not', async () => {
    const port = await serveBeside();
    const connections = createConnections();
    onTestFinished(() => connections.httpAgent.destroy());
    const handler = createAwsHandler({ connectionTimeout: 200, requestTimeout: 200 }, connections);
    const send = (path: string) => handler.handle({ ...requestOf(port), path });
    // Its connection is kept.
    await send('/0');
    const answered = send('/50');
    await turn();
    block(500);
    expect((await answered).response.statusCode).toBe(200);
    const late = send('/30000');
    await turn();
    block(500);
    await expect(late).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'no answer within 200 ms',
    });
    // What came in time did not end its connection.
    expect((await send('/0')).response.statusCode).toBe(200);
  });
});
