// Names: what a name server says of them, and that one that never answers delays nobody else.
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createCheckedLookup, createResolve } from '../../../adapters/http/resolve.ts';
import { startNameServer } from './name-server.ts';

const ZONE = {
  'keys.example.com': '93.184.216.34',
  'inside.example.com': '10.0.0.1',
  'empty.example.com': 'none',
  ...Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`slow-${n}.example.com`, 'stalled'])),
};
const IN_TIME_MS = 700;

async function start() {
  const server = await startNameServer(ZONE);
  return { server, resolve: createResolve([server.address]) };
}

async function durationOf(work: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work.catch(() => undefined);
  return performance.now() - startedMs;
}

describe('a name', () => {
  it('has the addresses that its name server says', async () => {
    const { resolve } = await start();
    expect(await resolve('keys.example.com')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('without an address, and one that does not exist, cannot be resolved', async () => {
    const { resolve } = await start();
    await expect(resolve('empty.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolve('nobody.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('localhost is loopback, and nobody is asked', async () => {
    const { resolve, server } = await start();
    expect(await resolve('localhost')).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(server.asked).toEqual([]);
  });

  it('is still judged by its address before a socket gets it', async () => {
    const { resolve } = await start();
    const checked = createCheckedLookup(resolve, { allowLoopback: false });
    const look = (hostname: string) =>
      new Promise((done) => {
        checked(hostname, { all: true }, (error, found) => done(error ?? found));
      });
    expect(await look('inside.example.com')).toMatchObject({ kind: 'refused' });
    expect(await look('keys.example.com')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });
});

describe('a name that never resolves', () => {
  it('delays no other name, and no work of the thread pool', async () => {
    const { resolve } = await start();
    const names = Array.from({ length: 16 }, (_, n) => `slow-${n}.example.com`);
    const stalled = names.map((name) => resolve(name).catch((error: unknown) => error));
    expect(await durationOf(resolve('keys.example.com'))).toBeLessThan(IN_TIME_MS);
    // Four threads do this, signatures, and the system's own lookups, which the AWS clients use.
    expect(await durationOf(stat(import.meta.filename))).toBeLessThan(IN_TIME_MS);
    const first = await Promise.race([...stalled, resolve('keys.example.com')]);
    expect(first).toEqual([{ address: '93.184.216.34', family: 4 }]);
    await Promise.all(stalled);
  });

  it('fails within its bound, and is asked for once, however many wait for it', async () => {
    const { resolve, server } = await start();
    const waiting = Array.from({ length: 50 }, () => resolve('slow-0.example.com'));
    const results = Promise.allSettled(waiting);
    expect(await durationOf(results)).toBeLessThan(3_000 + IN_TIME_MS);
    expect((await results).map(({ status }) => status)).toEqual(waiting.map(() => 'rejected'));
    // Two families, two tries each.
    expect(server.asked.length).toBeLessThanOrEqual(4);
    await expect(resolve('keys.example.com')).resolves.toHaveLength(1);
  });

  it('is asked for again once it has failed', async () => {
    const { resolve, server } = await start();
    for (const _ of [1, 2]) await expect(resolve('nobody.example.com')).rejects.toThrow();
    expect(server.asked.length).toBeGreaterThanOrEqual(4);
  });
});
