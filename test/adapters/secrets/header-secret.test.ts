// Headers from a secret: read once in their time, and refused whole where one of them cannot be sent.
import { describe, expect, it } from 'vitest';
import { createHeaderSecret } from '../../../adapters/secrets/header-secret.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { startSecretsManager } from './fake-secrets-manager.ts';

async function start(text?: string) {
  const fake = await startSecretsManager();
  const clock = createMemoryClock(1_000_000);
  const client = fake.connect({ maxAttempts: 1, connectionTimeout: 1_000, requestTimeout: 1_000 });
  const store = (value: string) =>
    fake.secrets.set('otlp', new Map([['v1', { text: value, stages: new Set(['AWSCURRENT']) }]]));
  if (text !== undefined) store(text);
  return {
    fake,
    clock,
    store,
    read: createHeaderSecret({ secretId: 'otlp', ttlMs: 300_000, clock, client }),
  };
}

describe('headers of a secret', () => {
  it('are read once in their time, and again after', async () => {
    const { fake, clock, store, read } = await start('{"Authorization":"Bearer one"}');
    expect(await read()).toEqual({ authorization: 'Bearer one' });
    store('{"authorization":"Bearer two","x-scope":"a"}');
    await clock.advance(299_999);
    expect(await read()).toEqual({ authorization: 'Bearer one' });
    expect(fake.calls).toHaveLength(1);
    await clock.advance(1);
    expect(await read()).toEqual({ authorization: 'Bearer two', 'x-scope': 'a' });
  });

  it.each([
    ['a name that is none', '{"a b":"x-secret"}'],
    ['a value with a line break', '{"a":"x-secret\\r\\nb: c"}'],
    ['an empty value', '{"a":"","b":"x-secret"}'],
    ['a header of the request itself', '{"Content-Type":"x-secret"}'],
    ['no texts', '{"a":["x-secret"]}'],
    ['no object', 'x-secret'],
  ])('with %s are refused, without a word of them', async (_name, text) => {
    const { read } = await start(text);
    const error = await read().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expect(String(error?.message)).not.toContain('x-secret');
  });

  it('are none where there is no secret or no answer, and nothing of that is remembered', async () => {
    const { fake, store, read } = await start();
    await expect(read()).rejects.toThrow('there is no secret of headers');
    store('{"a":"b"}');
    fake.interfere(async () => ({ error: 'InternalServiceError' }));
    await expect(read()).rejects.toThrow();
    fake.interfere(async () => undefined);
    expect(await read()).toEqual({ a: 'b' });
  });
});
