// What the SDK's clients send by, against servers that answer, stall, cut and refuse.
import { getEventListeners } from 'node:events';
import { Agent, createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAwsHandler } from '../../../adapters/http/aws-handler.ts';
import { createConnections } from '../../../adapters/http/connections.ts';

const PATIENT = { connectionTimeout: 30_000, requestTimeout: 30_000 };
const HASTY = { connectionTimeout: 50, requestTimeout: 50 };

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

async function serve(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return toRequest((server.address() as AddressInfo).port);
}

function toRequest(port: number, body: string | Uint8Array = '{"name":"é"}') {
  const headers: Record<string, string> = { 'x-amz-target': 'Test.Get' };
  return { protocol: 'http:', hostname: '127.0.0.1', port, method: 'POST', path: '/path', headers, body };
}

describe('a request of an AWS client', () => {
  it('is sent as it was signed, and gives the whole answer', async () => {
    const seen: unknown[] = [];
    const request = await serve(async (input, response) => {
      const body = Buffer.concat(await input.toArray()).toString();
      seen.push([input.method, input.url, input.headers['x-amz-target'], input.headers['user-agent'], body]);
      response.writeHead(400, { 'content-type': 'application/json', 'x-amzn-requestid': 'R' });
      response.write('{"a":');
      // The pieces come one by one.
      setImmediate(() => response.end('"é"}'));
    });
    const handler = createAwsHandler(PATIENT);
    for (const body of ['{"name":"é"}', Buffer.from('{"name":"é"}')]) {
      const { response } = await handler.handle({ ...request, body });
      expect([response.statusCode, response.reason]).toEqual([400, 'Bad Request']);
      expect(response.headers).toMatchObject({ 'x-amzn-requestid': 'R' });
      expect(Buffer.from(response.body).toString()).toBe('{"a":"é"}');
    }
    const sent = ['POST', '/path', 'Test.Get', 'neuron-execution-service', '{"name":"é"}'];
    expect(seen).toEqual([sent, sent]);
    handler.destroy();
  });

  it('keeps its socket, and leaves no timer behind', async () => {
    let sockets = 0;
    const request = await serve((input, response) => void input.resume().on('end', () => response.end()));
    server?.on('connection', () => {
      sockets += 1;
    });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const handler = createAwsHandler(PATIENT);
    const { response } = await handler.handle(request);
    expect(response.body.byteLength).toBe(0);
    await handler.handle(request);
    expect(sockets).toBe(1);
    const made = timers.mock.results.filter((_timer, call) => timers.mock.calls[call]?.[1] === 30_000);
    expect(made).toHaveLength(2);
    for (const { value } of made) await vi.waitFor(() => expect(cleared).toHaveBeenCalledWith(value), 20_000);
    vi.restoreAllMocks();
    handler.destroy();
  });

  it('makes no error for a request that went well: its stack is dear', async () => {
    const request = await serve(({ url }, response) => void (url === '/path' && response.end('{}')));
    const handler = createAwsHandler(PATIENT);
    const made: (string | undefined)[] = [];
    class Seen extends Error {
      constructor(message?: string) {
        super(message);
        made.push(message);
      }
    }
    vi.stubGlobal('Error', Seen);
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    // Its timer is cleared when it is closed, and its answer with it.
    await handler.handle(request).then(() => vi.waitFor(() => expect(cleared).toHaveBeenCalled(), 20_000));
    // On the same socket, which is free only then.
    await handler.handle(request);
    // And one that did not: it is seen.
    await expect(createAwsHandler(HASTY).handle({ ...request, path: '/late' })).rejects.toThrow();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    handler.destroy();
    expect(made.filter((message) => /connection|answer/.test(message ?? ''))).toEqual([
      'no answer within 50 ms',
    ]);
  });

  it.each([
    ['no headers come', () => undefined],
    [
      'its body stalls',
      (response: import('node:http').ServerResponse) => void response.writeHead(200).write('{'),
    ],
  ])('ends in a TimeoutError where %s', async (_what, answer) => {
    const request = await serve((_input, response) => void answer(response));
    const failure = { name: 'TimeoutError', code: 'ETIMEDOUT', message: 'no answer within 50 ms' };
    await expect(createAwsHandler(HASTY).handle(request)).rejects.toMatchObject(failure);
  });

  it('ends in a TimeoutError where no socket becomes free', async () => {
    const request = await serve(() => undefined);
    const one = { ...createConnections(), httpAgent: new Agent({ keepAlive: true, maxSockets: 1 }) };
    const first = createAwsHandler(PATIENT, one).handle(request);
    first.catch(() => undefined);
    await expect(createAwsHandler(HASTY, one).handle(request)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('ends in a TimeoutError where no connection is made, sooner than an answer is waited for', async () => {
    const connecting = { ...createConnections(), httpAgent: agentOf(() => undefined) };
    const waits = { connectionTimeout: 50, requestTimeout: 30_000 };
    await expect(createAwsHandler(waits, connecting).handle(toRequest(1))).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'no connection within 50 ms',
    });
  });

  it.each([
    ['before its headers', false],
    ['within its body', true],
  ])(
    'ends in a TimeoutError where the connection is cut %s: the SDK tries again',
    async (_where, isBegun) => {
      const request = await serve((_input, response) => {
        if (isBegun) response.writeHead(200, { 'content-length': '10' }).write('{', () => response.destroy());
        else response.destroy();
      });
      const failure = { name: 'TimeoutError', code: 'ECONNRESET' };
      await expect(createAwsHandler(PATIENT).handle(request)).rejects.toMatchObject(failure);
    },
  );

  it('ends in a TimeoutError where Node ends the connection, which is no error to it', async () => {
    const request = await serve((input) => {
      input.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    });
    await expect(createAwsHandler(PATIENT).handle(request)).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'the connection ended without an answer',
    });
  });

  it('gives an answer that lasts until the connection ends', async () => {
    const request = await serve((input) => {
      input.socket.write('HTTP/1.1 200 OK\r\n\r\n{"a"');
      setImmediate(() => input.socket.end(':1}'));
    });
    const { response } = await createAwsHandler(PATIENT).handle(request);
    expect(Buffer.from(response.body).toString()).toBe('{"a":1}');
  });

  it('ends in the error of Node where nobody listens', async () => {
    const request = await serve(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    await expect(createAwsHandler(PATIENT).handle(request)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends in an AbortError when it is given up, before or while it waits', async () => {
    const input = new AbortController();
    const request = await serve(() => input.abort('enough'));
    const handler = createAwsHandler(PATIENT);
    const failure = { name: 'AbortError', cause: 'enough' };
    const signal = { abortSignal: input.signal };
    await expect(handler.handle(request, signal)).rejects.toMatchObject(failure);
    await expect(handler.handle(request, signal)).rejects.toMatchObject(failure);
    await vi.waitFor(() => expect(getEventListeners(input.signal, 'abort')).toEqual([]), 20_000);
  });

  it('goes to an IPv6 address without the brackets that a URL has', async () => {
    const hosts: unknown[] = [];
    const connections = { ...createConnections(), httpAgent: agentOf(({ host }) => hosts.push(host)) };
    const request = { ...toRequest(1), hostname: '[::1]' };
    await expect(createAwsHandler(HASTY, connections).handle(request)).rejects.toThrow();
    expect(hosts).toEqual(['::1']);
  });
});

/** Its sockets are connecting for ever. */
function agentOf(onConnect: (options: { host?: string | undefined }) => void): Agent {
  const agent = new Agent();
  agent.createConnection = (options) => {
    onConnect({ host: options.host ?? undefined });
    return Object.defineProperty(new Socket(), 'connecting', { value: true });
  };
  return agent;
}
