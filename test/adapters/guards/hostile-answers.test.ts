// What a service can do to the one who asks it: endless, packed and late bodies, statuses that never end, redirects inward.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerWith, inspect, ok, received, useServer } from './service-server.ts';

useServer();

let hostile: Server;
let listener: RequestListener;
let written = 0;

beforeAll(async () => {
  hostile = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  hostile.closeAllConnections();
});
afterAll(() => new Promise((resolve) => hostile.close(resolve)));

const ask = (answer: RequestListener, request: object = {}) => {
  listener = answer;
  const { port } = hostile.address() as AddressInfo;
  return inspect(
    () => ({ type: 'webhook', endpoint: `http://127.0.0.1:${port}/`, secret: { secret: 'key' } }),
    request,
  );
};

const PIECE = Buffer.alloc(64 * 1024, ' ');
const MAX_WRITTEN = 100 * 1024 * 1024;

/** Blanks, which JSON may begin with, as fast as they are taken. */
const endless =
  (status: number): RequestListener =>
  (_request, response) => {
    written = 0;
    response.writeHead(status, { 'content-type': 'application/json' });
    const write = (): void => {
      while (!response.destroyed && written < MAX_WRITTEN) {
        written += PIECE.length;
        if (!response.write(PIECE)) return void response.once('drain', write);
      }
      if (!response.destroyed) response.end('{"verdict":"pass"}');
    };
    write();
  };

/** The headers, and then nothing. */
const silent =
  (status: number): RequestListener =>
  (_request, response) => {
    response.writeHead(status).write(' ');
  };

describe('a verdict', () => {
  it('of 100 MB is refused after a few of them', async () => {
    await expect(ask(endless(200))).rejects.toMatchObject({ kind: 'unreadable' });
    // What was taken, and what lies in the buffers of both sides.
    expect(written).toBeLessThan(MAX_WRITTEN / 4);
  });

  it('that says how large it is, is refused at once', async () => {
    const announced: RequestListener = (_request, response) =>
      void response.writeHead(200, { 'content-length': String(MAX_WRITTEN) }).write('{');
    await expect(ask(announced)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const packed: RequestListener = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    await expect(ask(packed)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('of many braces is no verdict', async () => {
    const nested: RequestListener = (_request, response) => void response.end('['.repeat(1_500_000));
    await expect(ask(nested)).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

describe('a status that is no 200', () => {
  it.each([
    [400, 'rejected'],
    [307, 'rejected'],
    [204, 'unreadable'],
    [429, 'rate_limited'],
    [503, 'server_error'],
  ])('decides whatever comes after %i: %s', async (status, kind) => {
    const signal = AbortSignal.timeout(20_000);
    if (status !== 204) await expect(ask(silent(status), { signal })).rejects.toMatchObject({ kind, status });
    await expect(ask(endless(status), { signal })).rejects.toMatchObject({ kind, status });
  });
});

describe('an address of this machine or its cloud', () => {
  const METADATA = 'http://169.254.169.254/latest/meta-data/';

  it('is not asked because a service says so', async () => {
    answerWith({ status: 307, headers: { location: METADATA }, body: {} });
    const guard = (endpoint: string) => ({ type: 'webhook', endpoint, secret: { secret: 'key' } });
    await expect(inspect(guard)).rejects.toMatchObject({ kind: 'rejected', status: 307 });
  });

  it('is a mistake of settings', async () => {
    const guard = () => ({ type: 'webhook', endpoint: METADATA, secret: { secret: 'key' } });
    await expect(inspect(guard)).rejects.toMatchObject({ code: 'configuration' });
  });
});

describe('a secret that has changed', () => {
  const GUARDS = {
    webhook: (endpoint: string) => ({ type: 'webhook', endpoint, secret: { secret: 'key' } }),
    presidio: (endpoint: string) => ({
      type: 'presidio',
      endpoint,
      apiKey: { secret: 'key' },
      entities: ['PERSON'],
    }),
    azureShield: (endpoint: string) => ({ type: 'azureShield', endpoint, apiKey: { secret: 'key' } }),
  };
  const ANSWERS = {
    webhook: { verdict: 'pass' },
    presidio: [],
    azureShield: { userPromptAnalysis: { attackDetected: false }, documentsAnalysis: [] },
  };
  const credentialOf = ({ headers }: ReturnType<typeof received>[number]) =>
    headers['x-neuron-signature'] ?? headers['authorization'] ?? headers['ocp-apim-subscription-key'];

  it.each(['webhook', 'presidio', 'azureShield'] as const)(
    'is read again by a guard of type %s, once',
    async (type) => {
      const before = received().length;
      answerWith(() => (received().length === before + 1 ? { status: 401, body: {} } : ok(ANSWERS[type])));
      const verdict = await inspect(GUARDS[type], {}, undefined, ['old-key', 'new-key']);
      expect(verdict.verdict).toBe('none');
      const [old, fresh, ...more] = received().slice(before).map(credentialOf);
      expect([old === fresh, more]).toEqual([false, []]);
    },
  );

  it.each(['webhook', 'presidio', 'azureShield'] as const)(
    'that is the same is not sent to a guard of type %s again',
    async (type) => {
      const before = received().length;
      answerWith(() => ({ status: 401, body: {} }));
      await expect(inspect(GUARDS[type])).rejects.toMatchObject({ kind: 'rejected', status: 401 });
      expect(received().length - before).toBe(1);
    },
  );
});
