// One exchange, where its request waits for a connection that another one has.
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { exchange } from '../../../adapters/http/exchange.ts';

const WAITS = { connectMs: 50, connectEvent: 'connect' } as const;

it('bounds a new connection alone: a request may wait on one that it took over', async () => {
  const server = createServer((input, response) => {
    input.resume();
    setTimeout(() => response.end(), input.url === '/slow' ? 300 : 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (path: string) =>
    exchange<number | undefined>(() => request({ host: '127.0.0.1', port, path, agent }), WAITS, {
      read: (answer, resolve) => void answer.resume().on('end', () => resolve(answer.statusCode)),
      toError: (failure) => new Error(failure.kind),
    });
  // The second is queued until the first one's connection is free.
  expect(await Promise.all([send('/'), send('/slow')])).toEqual([200, 200]);
});

it('says that a connection was made where a request fails on one that it took over', async () => {
  const server = createServer((input, response) => {
    if (input.url === '/cut') input.socket.destroy();
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const failures: unknown[] = [];
  const send = (path: string) =>
    exchange<void>(() => request({ host: '127.0.0.1', port, path, agent }), WAITS, {
      read: (answer, resolve) => void answer.resume().on('end', resolve),
      toError: (failure) => {
        failures.push(failure);
        return new Error(failure.kind);
      },
    });
  await Promise.allSettled([send('/'), send('/cut')]);
  await wait(0);
  expect(failures).toMatchObject([{ kind: 'error', isConnected: true, error: { code: 'ECONNRESET' } }]);
});

it.each([
  ['ASCII', '{"a":"b"}'],
  ['a letter of Latin-1', '{"a":"é"}'],
  ['letters beyond it', '{"a":"€😀"}'],
  ['half of a pair', '{"a":"\ud83d"}'],
  ['nothing', ''],
  ['much ASCII', 'x'.repeat(300_000)],
  ['bytes', Buffer.from([0xff, 0x41])],
])('sends a body of %s as UTF-8, with its length', async (_what, body) => {
  const seen = Promise.withResolvers<{ readonly bytes: Buffer; readonly length: string | undefined }>();
  const server = createServer(async (input, response) => {
    const bytes = Buffer.concat(await input.toArray());
    seen.resolve({ bytes, length: input.headers['content-length'] });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const open = () => request({ host: '127.0.0.1', port, method: 'POST' });
  await exchange<void>(
    open,
    { ...WAITS, body },
    {
      read: (answer, resolve) => void answer.resume().on('end', resolve),
      toError: (failure) => new Error(failure.kind),
    },
  );
  const expected = Buffer.from(body);
  expect(await seen.promise).toEqual({ bytes: expected, length: String(expected.length) });
});
