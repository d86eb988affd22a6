// The cache in front of secrets: when it is asked, when it is not, and that it stays closed on failure.
import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../adapters/secrets/reader.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { startSecretsManager } from './fake-secrets-manager.ts';

const ONE_TRY = { maxAttempts: 1, connectionTimeout: 1_000, requestTimeout: 1_000 };

async function start(limits = ONE_TRY) {
  const fake = await startSecretsManager();
  const clock = createMemoryClock(1_000_000);
  const reader = createSecretReader({
    prefix: 'neuron/test',
    ttlMs: 300_000,
    clock,
    client: fake.connect(limits),
  });
  const store = (text: string, organizationId = 'org-1') =>
    fake.secrets.set(
      `neuron/test/${organizationId}/providers`,
      new Map([['v1', { text, stages: new Set(['AWSCURRENT']) }]]),
    );
  const read = (name = 'key', detail = {}) => reader.read('org-1', 'providers', name, detail);
  return { fake, clock, reader, store, read };
}

describe('a secret', () => {
  it('is read once in its time, and again after', async () => {
    const { fake, clock, store, read } = await start();
    store('{"key":"one"}');
    expect(await read()).toBe('one');
    store('{"key":"two"}');
    await clock.advance(299_999);
    expect(await read()).toBe('one');
    expect(fake.calls).toHaveLength(1);
    await clock.advance(1);
    expect(await read()).toBe('two');
    expect(fake.calls).toHaveLength(2);
  });

  it('is read once for all names of a purpose, and for all who ask at the same time', async () => {
    const { fake, store, read } = await start();
    store('{"key":"one","other":"two"}');
    expect(await Promise.all([read(), read('other'), read()])).toEqual(['one', 'two', 'one']);
    expect(fake.calls).toHaveLength(1);
  });

  it.each([
    ['no such secret', undefined],
    ['no such name', '{"other":"x"}'],
  ])('that is missing (%s) is asked for again after a second', async (_what, text) => {
    const { fake, clock, store, read } = await start();
    if (text !== undefined) store(text);
    expect(await read()).toBeUndefined();
    store('{"key":"one"}');
    await clock.advance(999);
    expect(await read()).toBeUndefined();
    expect(fake.calls).toHaveLength(1);
    await clock.advance(1);
    expect(await read()).toBe('one');
  });

  it('is read afresh when that is asked for, at most every 30 s', async () => {
    const { fake, clock, store, read } = await start();
    store('{"key":"one"}');
    await read();
    store('{"key":"two"}');
    expect(await read('key', { fresh: true })).toBe('two');
    store('{"key":"three"}');
    await clock.advance(29_999);
    expect(await read('key', { fresh: true })).toBe('two');
    expect(fake.calls).toHaveLength(2);
    await clock.advance(1);
    expect(await read('key', { fresh: true })).toBe('three');
  });

  it('is read afresh once for all who ask for that at once', async () => {
    const { fake, store, read } = await start();
    store('{"key":"one"}');
    await read();
    store('{"key":"two"}');
    const values = await Promise.all([1, 2, 3].map(() => read('key', { fresh: true })));
    expect([values, fake.calls.length]).toEqual([['two', 'two', 'two'], 2]);
  });

  it('that cannot be read throws, and is asked for again at once', async () => {
    const { fake, store, read } = await start();
    store('{"key":"one"}');
    fake.interfere(async () => ({ error: 'InternalServiceError' }));
    await expect(read()).rejects.toThrow();
    fake.interfere(async () => undefined);
    expect(await read()).toBe('one');
  });

  it('throws once its time is over and it cannot be read again', async () => {
    const { fake, clock, store, read } = await start();
    store('{"key":"one"}');
    await read();
    fake.interfere(async () => ({ error: 'InternalServiceError' }));
    await clock.advance(300_000);
    await expect(read()).rejects.toThrow();
  });

  it('is given up when Secrets Manager stalls', async () => {
    const { fake, read } = await start({ maxAttempts: 1, connectionTimeout: 1_000, requestTimeout: 50 });
    fake.interfere(async () => 'stall');
    await expect(read()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it.each(['canary', '["canary"]', '"canary"', 'null', '{"key":7,"other":"canary"}'])(
    'that is not an object of texts throws without showing it: %s',
    async (text) => {
      const { store, read } = await start();
      store(text);
      const failure = await read().catch((thrown: unknown) => thrown);
      expect((failure as Error).message).toBe(
        'the secret neuron/test/org-1/providers is not a JSON object of texts',
      );
      expect((failure as Error).cause).toBeUndefined();
    },
  );

  it('of the one longest unused is forgotten first, beyond 500', async () => {
    const { fake, store, reader } = await start();
    const read = (number: number) => reader.read(`org-${number}`, 'providers', 'key');
    for (let number = 0; number <= 500; number += 1) {
      store(`{"key":"${number}"}`, `org-${number}`);
      await read(number);
      // Keeps the first one in use.
      if (number === 300) await read(0);
    }
    expect(fake.calls).toHaveLength(501);
    await read(0);
    await read(500);
    expect(fake.calls).toHaveLength(501);
    expect(await read(1)).toBe('1');
    expect(fake.calls).toHaveLength(502);
  });
});
